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
      // The next one waits for the end, whatever it was; the caller hears what it was.
      last = result.catch(() => undefined);
      return result;
    },
  };
}
