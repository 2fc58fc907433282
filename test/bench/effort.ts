// How much is measured: the default takes as long as good figures need, `--quick` only shows what is badly wrong.
export interface Effort {
  /** Of each figure. */
  readonly runs: number;
  /** Share of the full number of operations in a run. */
  readonly share: number;
  /** Also what takes minutes. */
  readonly long: boolean;
  /** Called with the progress of a long measurement. */
  report(progress: string): void;
}

export function createEffort(quick: boolean, report: Effort['report']): Effort {
  return quick ? {runs: 5, share: 0.4, long: false, report} : {runs: 7, share: 1, long: true, report};
}

export function operations(effort: Effort, full: number): number {
  return Math.max(1, Math.round(full * effort.share));
}
