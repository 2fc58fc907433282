// Ends sessions of the API that are no longer used. The records say when a session was used last, so this also works after a
// restart of the server and beside other servers.
import type {KernelRuntime, TaskRecord} from '@lumenflow/kernel';
import {isHttpSession} from './open-http-session.ts';

/** Returns the function that stops the watch. */
export function watchIdleSessions(
  runtime: KernelRuntime,
  {idleMs, onError}: {readonly idleMs: number; onError(error: unknown): void},
): () => void {
  const seen = new Map<string, SeenUse>();
  const sweeping = setInterval(() => {
    endIdleSessions(runtime, idleMs, seen).catch(onError);
  }, idleMs / 4);
  sweeping.unref();
  return () => clearInterval(sweeping);
}

/** A use, and when this server saw it first. A clock that is set back prolongs no session. */
interface SeenUse {
  readonly usedAt: number;
  /** Monotonic milliseconds. */
  readonly seenAt: number;
}

/** A session with a pending or approved request stays, and so does one whose call still runs. */
async function endIdleSessions(runtime: KernelRuntime, idleMs: number, seen: Map<string, SeenUse>): Promise<void> {
  await runtime.refresh();
  const sessions = runtime.listTasks({state: 'active'}).filter(({task_id}) => isHttpSession(task_id));
  const open = new Set(sessions.map(({task_id}) => task_id));
  for (const task_id of seen.keys()) if (!open.has(task_id)) seen.delete(task_id);
  for (const session of sessions) {
    const usedAt = await lastUse(runtime, session);
    if (unusedMs(seen, session.task_id, usedAt) < idleMs || waitsForSomebody(runtime, session)) continue;
    await end(runtime, session);
  }
}

function unusedMs(seen: Map<string, SeenUse>, task_id: string, usedAt: number): number {
  if (usedAt === Infinity) return 0;
  const monotonic = performance.now();
  const known = seen.get(task_id);
  const {seenAt} = known?.usedAt === usedAt ? known : {seenAt: monotonic};
  seen.set(task_id, {usedAt, seenAt});
  return Math.max(Date.now() - usedAt, monotonic - seenAt);
}

/** Infinity while a call runs. */
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
