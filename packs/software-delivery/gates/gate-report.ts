// What a run of the gates is recorded as. The policy reads it back from the evidence, so it is kept below the size
// of data that evidence carries.
export interface GateResult {
  readonly name: string;
  /** What ran, so that a result counts only for the command that is configured now. */
  readonly command: string;
  readonly optional: boolean;
  readonly passed: boolean;
  /** Null when the gate was skipped or ran out of time. */
  readonly exit_code: number | null;
  readonly duration_ms: number;
  /** The end of what the command said, without colours and control characters. */
  readonly output_tail: string;
  readonly timed_out?: true;
  /** An earlier gate failed and `fail_fast` was asked for. */
  readonly skipped?: true;
}

export interface GateReport {
  /** Every gate asked for that is not optional passed, on a tree that held still. */
  readonly passed: boolean;
  readonly gates: readonly GateResult[];
  /** Git's hash of the working tree before the first gate. */
  readonly tree_hash: string;
  /** The working tree was another one after the last gate: no result counts. */
  readonly tree_changed: boolean;
  /** SHA-256 of the configured gates. */
  readonly config_hash: string;
}

const reportBytesMax = 48 * 1024;

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
