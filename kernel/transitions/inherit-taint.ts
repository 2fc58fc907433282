// A session that is given what another one returned, outside of a call, is tainted by what tainted that one.
import type {Kernel} from '../context/kernel.ts';
import {missingTaint} from '../taint/taint.ts';
import {succeed, type TransitionResult} from '../transition.ts';

export interface InheritCommand {
  /** Whose task has the same id, as a run of a program has. */
  readonly from_session: string;
  readonly session_id: string;
  readonly task_id?: string | undefined;
  readonly by: string;
}

export async function inheritTaint(
  {ports, state}: Kernel,
  {from_session, session_id, task_id, by}: InheritCommand,
): Promise<TransitionResult<null>> {
  const from = [`session ${from_session}`, `task ${from_session}`];
  const to = [`session ${session_id}`, `actor ${by}`, ...(task_id === undefined ? [] : [`task ${task_id}`])];
  await ports.events.transact(() => {
    const [first, ...others] = missingTaint(state.taint, {from, to});
    if (first === undefined) return {events: [], result: null};
    const timestamp = ports.clock.timestamp();
    return {events: [{type: 'taint_added', timestamp, actor: by, taints: [first, ...others]}], result: null};
  });
  return succeed(null);
}
