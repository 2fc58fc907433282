// Runs a bounded number of tasks at a time; the others are queued.
export function limitConcurrency(atOnce: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // The slot passes to the next task, or becomes free.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
