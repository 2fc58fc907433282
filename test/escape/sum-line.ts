// The line that CI adds up.
import type {Verdict} from './result-table.ts';

export function sumLine(verdicts: readonly Verdict[]): string {
  const sum = (count: (verdict: Verdict) => number): number =>
    verdicts.reduce((total, verdict) => total + count(verdict), 0);
  return [
    `${sum(({held, documented}) => held + documented)} passed`,
    `${sum(({succeeded, not_tried, no_machine}) => succeeded + not_tried + no_machine)} failed`,
    `${sum(({impossible, refused}) => impossible + refused)} skipped`,
  ].join(', ');
}
