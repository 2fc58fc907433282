// Ends a runner on timeout and on abort. It asks first, and kills the runner if it does not end within the grace period.
import type {StartedRunner} from '../backends/sandbox-backend.ts';
import type {EndReason} from '../commands/process-guard.ts';
import {SealBroken} from '../seals/seal-broken.ts';

export interface RunnerSupervision {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Between asking and killing. */
  readonly graceMs: number;
  readonly askToEnd: (reason: EndReason) => void;
}

export interface RunnerSupervisor {
  /** Why the runner was asked to end, if it was. */
  endReason(): EndReason | undefined;
  /** Whether the runner was killed: it did not end in time, or had to end at once. */
  hasKilled(): boolean;
  /** From now on nothing is sent or killed any more. */
  release(): void;
}

export function superviseRunner(
  runner: Pick<StartedRunner, 'kill'>,
  {timeoutMs, signal, graceMs, askToEnd}: RunnerSupervision,
): RunnerSupervisor {
  let reason: EndReason | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  let killed = false;
  const kill = (): void => {
    killed = true;
    runner.kill();
  };
  const end = (why: EndReason): void => {
    if (reason !== undefined) return;
    reason = why;
    askToEnd(why);
    killTimer = setTimeout(kill, graceMs);
  };
  const onAbort = (): void => {
    end('abort');
    // Until it ends it could reach what its sandbox no longer hides.
    if (signal?.reason instanceof SealBroken) kill();
  };
  const timer = setTimeout(() => end('timeout'), timeoutMs);
  signal?.addEventListener('abort', onAbort, {once: true});
  if (signal?.aborted === true) onAbort();
  return {
    endReason: () => reason,
    hasKilled: () => killed,
    release() {
      clearTimeout(timer);
      clearTimeout(killTimer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
