// Watches a signal for the calls that share it: with one listener, since adding and removing one for each call costs more than a set.
const watches = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `cancel` when the signal aborts, unless it aborted before. Returns what ends the watch. */
export function onAbort(signal: AbortSignal, cancel: () => void): () => void {
  const cancels = watches.get(signal) ?? watch(signal);
  cancels.add(cancel);
  return () => void cancels.delete(cancel);
}

function watch(signal: AbortSignal): Set<() => void> {
  const cancels = new Set<() => void>();
  signal.addEventListener('abort', () => cancels.forEach((cancel) => cancel()), {once: true});
  watches.set(signal, cancels);
  return cancels;
}
