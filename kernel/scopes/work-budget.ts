// Bounds the work that one answer may cost, so that a spec written to blow up is refused instead of stalling the host.

export interface WorkBudget {
  /** Takes `steps` from what is left; false once nothing is, and from then on. */
  spend(steps: number): boolean;
  readonly exhausted: boolean;
}

/** A step is about one character; the default is some tens of milliseconds. */
export function workBudget(steps: number = 3_000_000): WorkBudget {
  let left = steps;
  return {
    spend(cost) {
      left -= cost;
      return left >= 0;
    },
    get exhausted() {
      return left < 0;
    },
  };
}
