// Ends sessions of the API that are no longer used. The records say when a session was used last, so this also works after a
// restart of the server and beside other servers.
import type {KernelRuntime, TaskRecord} from '@lumenflow/kernel';
import {isHttpSession} from './open-http-session.ts';

/** Returns the function that stops the watch. */
export function watchIdleSessions(
  runtime: KernelRuntime,
  {idleMs, onError}: {readonly idleMs: number; onError(error: unknown): void},
): () => void {
  const sweeping = setInterval(() => {
    endIdleSessions(runtime, idleMs).catch(onError);
  }, idleMs / 4);
  sweeping.unref();
  return () => clearInterval(sweeping);
}

/** A session with a pending or approved request stays, and so does one whose call still runs. */
async function endIdleSessions(runtime: KernelRuntime, idleMs: number): Promise<void> {
  await runtime.refresh();
  const now = Date.now();
  const sessions = runtime.listTasks({state: 'active'}).filter(({task_id}) => isHttpSession(task_id));
  for (const session of sessions) {
    if (now - (await lastUse(runtime, session)) < idleMs || waitsForSomebody(runtime, session)) continue;
    await end(runtime, session);
  }
}

async function lastUse(runtime: KernelRuntime, {task_id, run}: TaskRecord): Promise<number> {
  const {
    receipts: [last],
  } = await runtime.evidence.readTraces({task_id, limit: 1});
  if (last && !last.finished) return Infinity;
  const times = [run?.claimed_at, last?.started.timestamp, last?.finished?.timestamp];
  return Math.max(...times.map((time) => (time === undefined ? 0 : Date.parse(time))));
}

function waitsForSomebody(runtime: KernelRuntime, {task_id}: TaskRecord): boolean {
  return runtime.listApprovals({task_id}).some(({state}) => state === 'pending' || state === 'approved');
}

async function end(runtime: KernelRuntime, {task_id, run}: TaskRecord): Promise<void> {
  const {by = '', session_id = ''} = run ?? {};
  if ((await runtime.completeTask({task_id, by, session_id})).success) return;
  await runtime.releaseTask({task_id, session_id, reason: 'the session was not used any more'});
}
