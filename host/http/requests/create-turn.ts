// Requests that come in one turn of the event loop go on together: what each of them needs on its way, such as a write to
// the log or a thread's wake-up, is then done once for all of them.

/** Each promise resolves when the turn that it was asked for in has seen all that had come. */
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
