// Makes a change, and waits until the task that it starts has ended. A container that another task has locked is asked again until
// the lock is free.
import {failed, ok, type Outcome} from '../outcome.ts';
import {nextAttempt, type Pacing} from './pacing.ts';
import type {ProxmoxApi, ProxmoxRequest} from './proxmox-api.ts';
import {proxmoxFailure, type ProxmoxFailure} from './proxmox-failure.ts';

interface TaskStatus {
  readonly status: 'running' | 'stopped';
  readonly exitstatus?: string;
}

/** A copy of a large template takes minutes on slow storage. */
const taskMs = 600_000;
const lockedMs = 60_000;
const unreachableMs = 30_000;

type Done = Outcome<void, ProxmoxFailure>;

export async function makeChange(
  request: ProxmoxRequest,
  {api, pacing}: {readonly api: ProxmoxApi; readonly pacing: Pacing},
): Promise<Done> {
  const untilMs = pacing.now() + lockedMs;
  for (let attempt = 0; ; attempt += 1) {
    const answer = await api(request);
    const done = answer.ok ? await endOf(answer.value, api, pacing) : answer;
    if (done.ok || done.problem.kind !== 'locked' || !(await nextAttempt(attempt, untilMs, pacing))) return done;
  }
}

/** Its status cannot always be read while it runs: that alone is not a failure of the task. */
async function endOf(task: unknown, api: ProxmoxApi, pacing: Pacing): Promise<Done> {
  if (typeof task !== 'string' || !task.startsWith('UPID:')) return ok(undefined);
  const path = `/nodes/${task.split(':')[1]}/tasks/${encodeURIComponent(task)}/status`;
  const untilMs = pacing.now() + taskMs;
  let lastSeenMs = pacing.now();
  for (let attempt = 0; ; attempt += 1) {
    const answer = await api<TaskStatus>({method: 'GET', path});
    if (answer.ok) {
      lastSeenMs = pacing.now();
      const {status, exitstatus = ''} = answer.value;
      if (status === 'stopped') return isSuccess(exitstatus) ? ok(undefined) : failed(proxmoxFailure(exitstatus));
    } else if (answer.problem.kind === 'denied' || pacing.now() - lastSeenMs > unreachableMs) return answer;
    if (!(await nextAttempt(Math.min(attempt, 3), untilMs, pacing))) {
      return failed(proxmoxFailure(`the task did not end within ${taskMs / 1000} s`));
    }
  }
}

/** A task that was done with warnings was done. */
function isSuccess(exitStatus: string): boolean {
  return exitStatus === 'OK' || /^WARNINGS: \d+$/.test(exitStatus);
}
