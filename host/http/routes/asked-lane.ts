// Evaluates a query for a new task in a lane instead of an existing task. It claims nothing.
import {failed, ok, type LaneContext, type Outcome} from '@lumenflow/kernel';
import {refuse, type Reply} from '../reply.ts';
import type {RouteCall} from '../route.ts';

export function askedLane(
  {runtime}: Pick<RouteCall<unknown, unknown>, 'runtime'>,
  lane_id: string,
): Outcome<LaneContext, Reply> {
  const {lanes} = runtime.workspace;
  if (lanes.has(lane_id)) return ok({lane_id});
  const known = [...lanes.keys()];
  const message = `there is no lane \`${lane_id}\`: the lanes are ${known.join(', ')}`;
  return failed(refuse('LANE_NOT_FOUND', message, {lanes: known}));
}
