// How many tasks more may be begun in each lane, so that none is begun in vain: a claim in a full lane is refused.
import type {KernelRuntime} from '@lumenflow/kernel';

export type LaneHolder = Pick<KernelRuntime, 'listTasks' | 'workspace'>;

/** By the lane's id; Infinity without a WIP limit. */
export function countLanePlaces(runtime: LaneHolder): Map<string, number> {
  const inProgress = [...runtime.listTasks({state: 'active'}), ...runtime.listTasks({state: 'blocked'})];
  return new Map(
    runtime.workspace.spec.lanes.map(({id, wip_limit = Infinity}) => [
      id,
      Math.max(0, wip_limit - inProgress.filter(({lane_id}) => lane_id === id).length),
    ]),
  );
}
