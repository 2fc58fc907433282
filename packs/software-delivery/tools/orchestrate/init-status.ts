// orchestrate:init-status returns what orchestrate:initiative would plan, and the current delegations. It delegates nothing.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {readOrchestration, type Orchestration} from '../../orchestration/read-orchestration.ts';
import type {WavePlan} from '../../orchestration/wave-plan.ts';
import type {PackConfig} from '../../pack-config.ts';

type InitStatusOutput = Omit<Orchestration, 'plan'> & WavePlan;

export const orchestrateInitStatus: ToolDefinition<{readonly id: string}, InitStatusOutput, PackConfig> = defineTool({
  async run({id}, context) {
    const {plan, ...rest} = await readOrchestration(context, openDeliveryLog(context), id);
    return {...rest, ...plan};
  },
});
