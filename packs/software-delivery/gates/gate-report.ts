// What a run of the gates is recorded as. The policy reads it back from the evidence, so it is kept below the size
// of data that evidence carries.
export interface GateResult {
  readonly name: string;
  /** What ran, so that a result counts only for the command that is configured now. */
  readonly command: string;
  readonly optional: boolean;
  readonly passed: boolean;
  /** Null when the gate did not run or ran out of time. */
  readonly exit_code: number | null;
  readonly duration_ms: number;
  /** The end of what the command said, without colours and control characters. */
  readonly output_tail: string;
  readonly timed_out?: true;
  /** An earlier gate failed and `fail_fast` was asked for. */
  readonly skipped?: true;
  /** No changed path matched the gate's patterns; it counts as passed. */
  readonly not_triggered?: true;
  /** It passed on this very tree before: the receipt of that run. */
  readonly cached_from?: string;
  /** Why it was left out, with a person's approval of this call; it counts as passed. */
  readonly waived?: string;
  readonly guidance?: string;
}

export interface GateReport {
  /** At least one gate ran, and every gate asked for that is not optional passed. */
  readonly passed: boolean;
  readonly gates: readonly GateResult[];
  /** Git's hash of the tree that they ran on. */
  readonly tree_hash: string;
  /** SHA-256 of the configured gates. */
  readonly config_hash: string;
}

const reportBytesMax = 48 * 1024;

/** Whether the result holds nothing up. */
export function isSettled({passed, optional, waived}: GateResult): boolean {
  return passed || optional || waived !== undefined;
}

/** Nothing checked is nothing passed. */
export function hasPassed(results: readonly GateResult[]): boolean {
  return results.some((result) => result.not_triggered !== true) && results.every(isSettled);
}

/** Halves the longest tails until the report is small enough to be evidence. */
export function boundReport(report: GateReport): GateReport {
  let bounded = report;
  let charsMax = Math.max(0, ...report.gates.map(({output_tail: tail}) => tail.length));
  while (charsMax > 0 && Buffer.byteLength(JSON.stringify(bounded)) > reportBytesMax) {
    charsMax = Math.floor(charsMax / 2);
    const gates = report.gates.map((gate) => ({...gate, output_tail: tailOf(gate.output_tail, charsMax)}));
    bounded = {...report, gates};
  }
  return bounded;
}

/** The last characters of plain text. */
export function tailOf(text: string, charsMax: number): string {
  return charsMax === 0 ? '' : text.slice(-charsMax).replace(/^[\uDC00-\uDFFF]/, '');
}
