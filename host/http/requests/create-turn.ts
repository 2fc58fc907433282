// Batches requests that arrive in one turn of the event loop. Shared work, such as a log write or a thread's wake-up, then runs
// once.

/** Each promise resolves at the end of the turn in which it was requested. */
export function createTurn(): () => Promise<void> {
  let end: Promise<void> | undefined;
  return () =>
    (end ??= new Promise((resolve) => {
      setImmediate(() => {
        end = undefined;
        resolve();
      });
    }));
}
