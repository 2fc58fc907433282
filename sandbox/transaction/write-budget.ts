// The budget for the concurrent writes of all transactional calls of a host.

export interface WriteBudget {
  readonly bytes: number;
  /** Records what a call has written so far. True if the calls exceed the budget and this one wrote most. */
  isExceededBy(call: object, written: number): boolean;
  forget(call: object): void;
}

export function createWriteBudget(bytes: number): WriteBudget {
  const calls = new Map<object, number>();
  return {
    bytes,
    isExceededBy(call, written) {
      calls.set(call, written);
      const all = [...calls.values()];
      return all.reduce((sum, each) => sum + each, 0) > bytes && Math.max(...all) === written;
    },
    forget: (call) => void calls.delete(call),
  };
}
