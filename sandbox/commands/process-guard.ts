// Ends a process from outside, on timeout, on abort or at once; never by an id that may be another's by then.
export type EndReason = 'timeout' | 'abort';

/** What ends a process from outside. */
export interface Supervision {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Time between the request to end and the kill; default 500 ms. */
  readonly killGraceMs?: number | undefined;
  /** How it is asked to end; default SIGTERM to its group. */
  readonly askToEnd?: ((reason: EndReason) => void) | undefined;
}

export interface Guard {
  /** Why the process was asked to end, if it was. */
  endReason(): EndReason | undefined;
  /** Until the process has ended. */
  supervise(supervision: Supervision): void;
  kill(): void;
  /** The grace period for processes that it leaves behind: none if it was asked to end, or was killed. */
  drainMs(): number;
  /** The process has ended. */
  close(): void;
}

const killGraceMsDefault = 500;

export function createGuard(pid: number, killWith: (pid: number) => void): Guard {
  let reason: EndReason | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  let letGo = (): void => undefined;
  let graceMs = killGraceMsDefault;
  let isOver = false;
  let wasKilled = false;
  const kill = (): void => {
    if (isOver) return;
    wasKilled = true;
    killWith(pid);
  };
  const end = (why: EndReason, askToEnd: Supervision['askToEnd']): void => {
    if (reason !== undefined || isOver) return;
    reason = why;
    if (askToEnd === undefined) killGroup(pid, 'SIGTERM');
    else askToEnd(why);
    killTimer = setTimeout(kill, graceMs);
  };
  return {
    endReason: () => reason,
    supervise({timeoutMs, signal, killGraceMs, askToEnd}) {
      graceMs = killGraceMs ?? killGraceMsDefault;
      const onAbort = (): void => end('abort', askToEnd);
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => end('timeout', askToEnd), timeoutMs);
      signal?.addEventListener('abort', onAbort, {once: true});
      letGo = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      if (signal?.aborted === true) onAbort();
    },
    kill,
    drainMs: () => (reason === undefined && !wasKilled ? graceMs : 0),
    close() {
      isOver = true;
      letGo();
      clearTimeout(killTimer);
    },
  };
}

export function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: the whole group has already ended.
  }
}
