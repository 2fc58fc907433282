/** Runs tasks one after the other, in the order of their arrival. */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return await mine;
  };
}
