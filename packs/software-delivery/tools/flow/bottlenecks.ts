// flow:bottlenecks finds stalled work and its dependents.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {findBottlenecks, type Bottlenecks} from '../../flow/find-bottlenecks.ts';
import {flowSlice} from '../../flow/flow-slice.ts';
import {chooseTimelines, type WorkUnitFilter} from '../../flow/read-figures.ts';

interface BottleneckInput extends WorkUnitFilter {
  readonly limit?: number;
}

interface BottleneckOutput extends Bottlenecks {
  /** Number of matches, before the limit. */
  readonly total: number;
}

export const flowBottlenecks: ToolDefinition<BottleneckInput, BottleneckOutput> = defineTool({
  async run({limit = 20, ...filter}, context) {
    const log = openDeliveryLog(context);
    const {timelines} = await log.read(flowSlice);
    const all = Object.entries(timelines);
    const chosen = new Set((await chooseTimelines(log, all, filter)).map(([wu]) => wu));
    const {wus, lanes} = findBottlenecks(all, Date.now(), (wu) => chosen.has(wu));
    return {wus: wus.slice(0, limit), lanes, total: wus.length};
  },
});
