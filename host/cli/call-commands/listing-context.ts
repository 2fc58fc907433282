// The listingContext for listing tools: an active task, or a new task in a lane. It claims nothing.
import type {CompiledLane, ExecutionContext, LaneContext, TaskView} from '@lumenflow/kernel';
import type {Host} from '../../compose.ts';
import {joinTask} from './call-session.ts';
import {CliError} from '../failures/cli-error.ts';

export interface ListingContext {
  readonly context: ExecutionContext | LaneContext;
  readonly lane: CompiledLane | undefined;
  readonly task?: TaskView;
}

export interface ListingRequest extends Required<Pick<ExecutionContext, 'by'>>, Pick<ExecutionContext, 'surface'> {
  readonly lane?: string | undefined;
  readonly task?: string | undefined;
}

/** Throws CliError if the lane or task does not exist, or the task is not active. */
export async function listingContextOf(
  host: Host,
  {lane: laneId, task: taskId, by, surface = 'cli'}: ListingRequest,
): Promise<ListingContext> {
  const from = {by, surface};
  const {lanes, spec} = host.runtime.workspace;
  if (taskId !== undefined) {
    const {context, task} = await joinTask(host, taskId);
    return {context: {...context, ...from}, task, lane: lanes.get(task.lane_id)};
  }
  const lane_id = laneId ?? spec.lanes[0].id;
  const lane = lanes.get(lane_id);
  if (!lane) {
    const known = [...lanes.keys()].join(', ');
    throw new CliError('LANE_NOT_FOUND', `there is no lane \`${lane_id}\`: the lanes are ${known}`);
  }
  return {context: {lane_id, ...from}, lane};
}
