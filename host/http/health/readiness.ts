// Whether this server should receive requests: it is not draining, its workspace is the loaded one, and its log can be written.
import type {KernelRuntime} from '@lumenflow/kernel';

export type NotReadyReason = 'DRAINING' | 'WORKSPACE_CHANGED' | 'LOG_UNAVAILABLE';

export interface Readiness {
  /** From now on, the server is not ready. It still serves what it receives. */
  drain(): void;
  /** Empty if the server is ready. */
  reasons(): Promise<readonly NotReadyReason[]>;
}

export interface ReadinessOptions {
  /** Milliseconds after which a log that does not respond counts as unavailable; default 3,000. */
  readonly timeoutMs?: number;
  /** Milliseconds for which a result is reused, because anybody can ask; default 500. */
  readonly reuseMs?: number;
  monotonic(): number;
}

export function createReadiness(
  runtime: Pick<KernelRuntime, 'isWorkspaceCurrent' | 'checkWritable'>,
  {timeoutMs = 3_000, reuseMs = 500, monotonic}: ReadinessOptions,
): Readiness {
  let isDraining = false;
  let last = {atMs: Number.NEGATIVE_INFINITY, isWritable: Promise.resolve(true)};
  let underWay: Promise<void> | undefined;

  /** A check that does not end is not repeated. */
  function check(): Promise<void> {
    underWay ??= runtime.checkWritable().finally(() => (underWay = undefined));
    return underWay;
  }

  function isWritable(): Promise<boolean> {
    const atMs = monotonic();
    if (atMs - last.atMs >= reuseMs) last = {atMs, isWritable: withinTime(check(), timeoutMs)};
    return last.isWritable;
  }

  return {
    drain: () => (isDraining = true),
    async reasons() {
      const isLogWritable = await isWritable();
      return [
        ...(isDraining ? (['DRAINING'] as const) : []),
        ...(runtime.isWorkspaceCurrent() ? [] : (['WORKSPACE_CHANGED'] as const)),
        ...(isLogWritable ? [] : (['LOG_UNAVAILABLE'] as const)),
      ];
    },
  };
}

async function withinTime(check: Promise<void>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const isDone = check.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([isDone, late]);
  } finally {
    clearTimeout(timer);
  }
}
