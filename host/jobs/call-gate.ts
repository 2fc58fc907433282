// Bounds how much is under way at the same time: calls of a run, however its parallel steps are nested, or runs of an engine.

export interface CallGate {
  /** Waits for a free place. */
  through<T>(work: () => Promise<T>): Promise<T>;
}

export function createCallGate(limit: number): CallGate {
  const queue: (() => void)[] = [];
  let open = 0;
  return {
    async through(work) {
      if (open >= limit) await new Promise<void>((resolve) => queue.push(resolve));
      else open += 1;
      try {
        return await work();
      } finally {
        const following = queue.shift();
        if (following) following();
        else open -= 1;
      }
    },
  };
}
