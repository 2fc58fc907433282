// Runs change what belongs to the whole process, so they come one after the other.

export interface RunQueue {
  /** Starts `task` when all tasks before it have settled. */
  add<Result>(task: () => Promise<Result>): Promise<Result>;
}

export function createRunQueue(): RunQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    add(task) {
      const result = last.then(task);
      // The next run waits for the end of any kind; the caller gets the result.
      last = result.catch(() => undefined);
      return result;
    },
  };
}
