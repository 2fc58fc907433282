// gates:results lists the results of gate runs, latest first.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {GatesRecorded} from '../../gates/gate-event.ts';
import {gateRecords} from '../../gates/gate-records.ts';

interface GatesResultsInput {
  /** Only runs in this task, for example a work unit. */
  readonly task_id?: string;
  /** Only runs on this tree. */
  readonly tree_hash?: string;
  /** Default 20. */
  readonly limit?: number;
}

interface GatesResultsOutput {
  readonly runs: readonly Omit<GatesRecorded, 'type'>[];
  readonly more: boolean;
}

export const gatesResults: ToolDefinition<GatesResultsInput, GatesResultsOutput> = defineTool({
  async run({task_id: task, tree_hash: tree, limit = 20}, context) {
    const {runs} = await openDeliveryLog(context).read(gateRecords);
    const wanted = runs
      .filter((run) => (task === undefined || run.task_id === task) && (tree === undefined || run.tree_hash === tree))
      .toReversed();
    return {runs: wanted.slice(0, limit).map(withoutType), more: wanted.length > limit};
  },
});

function withoutType(event: GatesRecorded): Omit<GatesRecorded, 'type'> {
  const {type: _, ...run} = event;
  return run;
}
