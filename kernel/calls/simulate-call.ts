// The call that listing and explaining ask about: one made in an active task, or one that a new task of a lane
// would make. The pipeline's own stages up to the scopes, with nothing run and nothing recorded.
import type {Kernel} from '../context/kernel.ts';
import {unrestrictedLayer} from '../scopes/index.ts';
import {isRefusal, refuse, type CallRequest, type FoundCall, type NarrowedCall, type Refusal} from './call.ts';
import type {ExecutionContext} from './execution-context.ts';
import {findTool, lookUpTool, type LookedUpCall} from './find-tool.ts';
import {narrowScopes} from './narrow-scopes.ts';
import {receiveCall} from './receive-call.ts';

/** Instead of a task: any new one of this lane and type, without scopes or rules. */
export interface LaneContext extends Pick<ExecutionContext, 'by' | 'execution_metadata' | 'is_operator' | 'surface'> {
  readonly lane_id: string;
  readonly task_type?: string;
}

export interface SimulatedRequest extends Pick<CallRequest, 'name' | 'input'> {
  readonly context: ExecutionContext | LaneContext;
  /** When the call would come in: UTC, ISO 8601 with milliseconds; default now. */
  readonly at?: string | undefined;
}

export async function simulateCall(
  kernel: Kernel,
  {name, input, context, at}: SimulatedRequest,
): Promise<NarrowedCall | Refusal> {
  const now = receiveCall(kernel, {name, input, context: 'lane_id' in context ? inNoTask(context) : context});
  if (isRefusal(now)) return now;
  const received = at === undefined ? now : {...now, timestamp: at};
  if (!('lane_id' in context)) return narrowFound(kernel, await findTool(kernel, received));
  const lookedUp = lookUpTool(kernel, received);
  return narrowFound(kernel, isRefusal(lookedUp) ? lookedUp : supposeTask(kernel, lookedUp, context));
}

function narrowFound(kernel: Kernel, found: FoundCall | Refusal): NarrowedCall | Refusal {
  return isRefusal(found) ? found : narrowScopes(kernel, found);
}

const nobody = 'none';

function inNoTask(context: LaneContext): ExecutionContext {
  return {...context, task_id: nobody, run_id: nobody, session_id: nobody};
}

function supposeTask(
  kernel: Kernel,
  call: LookedUpCall,
  {lane_id: laneId, task_type: type}: LaneContext,
): FoundCall | Refusal {
  const lane = kernel.workspace.lanes.get(laneId);
  if (!lane) return refuse(call, 'TASK_NOT_ACTIVE', `there is no lane \`${laneId}\`, so no task is active in it`);
  // No identifier, so it is never a real task's.
  const id = `a new task of lane ${laneId}`;
  return {
    ...call,
    lane,
    task: {
      key: id,
      spec_hash: '',
      spec: {id, lane_id: laneId, ...(type !== undefined && {type})},
      scopes: unrestrictedLayer('task', id),
    },
    run: {run_id: nobody, session_id: nobody, by: nobody, claimed_at: call.timestamp},
  };
}
