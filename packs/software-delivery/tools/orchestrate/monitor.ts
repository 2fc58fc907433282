// orchestrate:monitor finds stalled work.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {Patience, StuckWork} from '../../orchestration/find-stuck.ts';
import {patienceOf, readStuck} from '../../orchestration/watch-work.ts';
import type {PackConfig} from '../../pack-config.ts';

interface MonitorOutput extends Patience {
  readonly stuck: readonly StuckWork[];
}

export const orchestrateMonitor: ToolDefinition<Partial<Patience>, MonitorOutput, PackConfig> = defineTool({
  async run(asked, context) {
    const patience = {...patienceOf(context.config), ...asked};
    return {...patience, stuck: await readStuck(context, openDeliveryLog(context), patience)};
  },
});
