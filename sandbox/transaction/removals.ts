// Removes what calls leave behind after their answer. No caller should wait for this, and if a host dies first, the next one
// removes it.

export interface Removals {
  /** Resolves once it is gone. */
  begin(folder: string): Promise<void>;
  /** Resolves when so few are under way that another call may begin. */
  room(): Promise<void>;
  /** Resolves once none is under way. */
  ended(): Promise<void>;
}

/** Calls that end faster than their leftovers can be removed wait for them, or the disk would fill. */
const underWayMax = 16;

/** `remove` never rejects. */
export function createRemovals(remove: (folder: string) => Promise<void>): Removals {
  const underWay = new Set<Promise<void>>();
  return {
    async begin(folder) {
      const removal = remove(folder).finally(() => underWay.delete(removal));
      underWay.add(removal);
      await removal;
    },
    async room() {
      while (underWay.size >= underWayMax) await Promise.race(underWay);
    },
    async ended() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
