// Opens a session for a caller of the API. A caller gets a share of a lane, so its forgotten sessions cannot shut out others.
import type {KernelRuntime, TransitionFailure} from '@lumenflow/kernel';
import {randomUUID} from 'node:crypto';
import type {SessionRequest, SessionResult} from '../../sessions/open-session.ts';
import type {HttpHost} from '../route.ts';

/** Recognized by its id, also after a restart of the server. */
const idPrefix = 'http-';
/** Of one caller in a lane without a WIP limit. */
const sessionsMax = 100;

export function isHttpSession(taskId: string): boolean {
  return taskId.startsWith(idPrefix);
}

export async function openHttpSession(host: HttpHost, request: SessionRequest): Promise<SessionResult> {
  if (request.task_id !== undefined) return await host.openSession(request);
  const error = beyondShare(host.runtime, request);
  return error ? {success: false, error} : await host.openSession({...request, session_id: idPrefix + randomUUID()});
}

/** Half of the lane's WIP limit, and at least one. */
function beyondShare({workspace, listTasks}: KernelRuntime, {by, lane}: SessionRequest): TransitionFailure | undefined {
  const lane_id = lane ?? workspace.spec.lanes[0].id;
  const {wip_limit} = workspace.lanes.get(lane_id)?.spec ?? {};
  const share = wip_limit === undefined ? sessionsMax : Math.max(1, Math.floor(wip_limit / 2));
  const own = listTasks({lane_id}).filter(
    ({task_id, run, state}) => isHttpSession(task_id) && run?.by === by && (state === 'active' || state === 'blocked'),
  );
  if (own.length < share) return undefined;
  return {
    code: 'WIP_LIMIT_REACHED',
    message: `you have ${own.length} open sessions in lane \`${lane_id}\`, which is your share: complete or release one`,
    details: {share, open: own.map(({task_id}) => task_id)},
  };
}
