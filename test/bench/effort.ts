// How much is measured: the default takes as long as good figures need, `--quick` only shows what is badly wrong.
export interface Effort {
  /** Of each figure. */
  readonly runs: number;
  /** Share of the full number of operations in a run. */
  readonly share: number;
}

export const fullEffort: Effort = {runs: 7, share: 1};
export const quickEffort: Effort = {runs: 5, share: 0.4};

export function operations(effort: Effort, full: number): number {
  return Math.max(1, Math.round(full * effort.share));
}
