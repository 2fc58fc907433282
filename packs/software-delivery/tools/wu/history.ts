// wu:history returns what happened to a work unit: who, what and when, from the log.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {unitHistory, type HistoryEntry} from '../../history/unit-history.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface WuHistoryInput {
  readonly id: string;
  /** Only comments. */
  readonly comments?: boolean;
  /** The newest entries; default 100. */
  readonly limit?: number;
}

interface WuHistoryOutput {
  readonly id: string;
  readonly title?: string;
  /** Oldest first. */
  readonly entries: readonly HistoryEntry[];
  /** Older entries that are not listed. */
  readonly omitted: number;
}

/** Renewals happen every few minutes of work and say nothing. */
const silent: readonly string[] = ['wu_renewed'];

export const wuHistory: ToolDefinition<WuHistoryInput, WuHistoryOutput> = defineTool({
  async run({id, comments = false, limit = 100}, context) {
    const log = openDeliveryLog(context);
    const all = await log.read(unitHistory(id));
    // The history of a deleted work unit remains.
    const unit =
      all.length > 0 ? (await log.read(workUnitSlice)).units[id] : findWorkUnit(await log.read(workUnitSlice), id);
    const wanted = all.filter(({type}) => (comments ? type === 'wu_commented' : !silent.includes(type)));
    const entries = wanted.slice(-limit);
    return {id, ...(unit && {title: unit.spec.title}), entries, omitted: wanted.length - entries.length};
  },
});
