// How many more tasks can be claimed in each lane. A claim in a full lane fails, so no job starts for one.
import {countsTowardsWip, type KernelRuntime} from '@lumenflow/kernel';

export type LaneHolder = Pick<KernelRuntime, 'listTasks' | 'workspace'>;

/** By the lane's id; Infinity without a WIP limit. */
export function countLanePlaces(runtime: LaneHolder): Map<string, number> {
  const counted = runtime.listTasks().filter(countsTowardsWip);
  return new Map(
    runtime.workspace.spec.lanes.map(({id, wip_limit = Infinity}) => [
      id,
      Math.max(0, wip_limit - counted.filter(({lane_id}) => lane_id === id).length),
    ]),
  );
}
