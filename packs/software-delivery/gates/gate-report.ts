// The recorded result of a gate run. Policy reads it back from evidence, so it stays below the size limit of evidence data.
export interface GateResult {
  readonly name: string;
  /** The command that ran. A result counts only for the currently configured command. */
  readonly command: string;
  readonly optional: boolean;
  readonly passed: boolean;
  /** Null if the gate did not run or timed out. */
  readonly exit_code: number | null;
  readonly duration_ms: number;
  /** The end of the command's output, without colours and control characters. */
  readonly output_tail: string;
  readonly timed_out?: true;
  /** An earlier gate failed and `fail_fast` was set. */
  readonly skipped?: true;
  /** No changed path matched the gate's patterns. It counts as passed. */
  readonly not_triggered?: true;
  /** Receipt of an earlier run that passed on this tree. */
  readonly cached_from?: string;
  /** Why it was skipped, with a person's approval of this call. It counts as passed. */
  readonly waived?: string;
  readonly guidance?: string;
}

export interface GateReport {
  /** True if at least one gate ran and every requested, non-optional gate passed. */
  readonly passed: boolean;
  readonly gates: readonly GateResult[];
  /** Git's hash of the checked tree. */
  readonly tree_hash: string;
  /** SHA-256 of the configured gates. */
  readonly config_hash: string;
}

const reportBytesMax = 48 * 1024;

/** True if the result does not block completion. */
export function isSettled({passed, optional, waived}: GateResult): boolean {
  return passed || optional || waived !== undefined;
}

/** No checked gate means not passed. */
export function hasPassed(results: readonly GateResult[]): boolean {
  return results.some((result) => result.not_triggered !== true) && results.every(isSettled);
}

/** Halves the longest outputs until the report fits into evidence. */
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

const lastLinesMax = 20;

/** The last lines of an output, for messages and records. */
export function lastLines(output: string): string {
  return tailOf(output.trimEnd().split('\n').slice(-lastLinesMax).join('\n'), 4000);
}

/** The last characters as plain text. */
export function tailOf(text: string, charsMax: number): string {
  return charsMax === 0 ? '' : text.slice(-charsMax).replace(/^[\uDC00-\uDFFF]/, '');
}
