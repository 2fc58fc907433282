// Submits the checkpoints of one log to one witness, one at a time. It retries with longer and longer pauses, so that a witness that is down
// costs nothing, and reports what the newest attempt led to.
import type {LogName} from '../log/log-name.ts';
import type {HeadOf} from '../signed-log/log-witnesses.ts';
import type {CosignedNotes} from './cosigned-notes.ts';
import {messageOf} from './message-of.ts';
import {postToWitness} from './post-to-witness.ts';
import {submitCheckpoint, type SubmissionResult} from './submit-checkpoint.ts';
import type {WitnessVerifier} from './witness-key.ts';
import type {WitnessReport, WitnessReports} from './witness-reports.ts';

export interface SubmissionsOptions {
  readonly log: LogName;
  readonly url: string;
  readonly witness: WitnessVerifier;
  readonly cosigned: CosignedNotes;
  readonly reports: WitnessReports;
  readonly head: HeadOf;
  /** ISO 8601. */
  readonly now: () => string;
  /** Before the second attempt; then twice as long each time, up to 256 times. */
  readonly firstPauseMs: number;
  /** Called when the witness first rejects the log, which repeating does not change. */
  readonly onRejected: (message: string) => void;
}

export class Submissions {
  readonly #options: SubmissionsOptions;
  readonly #ended = new AbortController();
  #running: Promise<WitnessReport> | undefined;
  #isNoticed = false;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SubmissionsOptions) {
    this.#options = options;
  }

  get options(): SubmissionsOptions {
    return this.#options;
  }

  /** There may be a new checkpoint. Returns at once. */
  notice(): void {
    if (this.#running !== undefined) this.#isNoticed = true;
    else if (this.#timer === undefined && !this.#ended.signal.aborted) void this.submit();
  }

  /** Submits the newest checkpoint now; fulfilled with what it led to. Never rejects. */
  submit(): Promise<WitnessReport> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#submitAll().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Waits up to `graceMs` for an answer, unless the newest attempt failed, and ends. */
  async close(graceMs: number): Promise<void> {
    clearTimeout(this.#timer);
    const running = this.#running;
    if (running !== undefined && this.#options.reports.read(this.#options.witness.id)?.problem === undefined) {
      const isLate = await endsLate(running, graceMs);
      if (isLate) this.#report({ok: false, kind: 'unreachable', message: `it did not answer within ${graceMs} ms`});
    }
    this.#ended.abort();
    await running;
  }

  async #submitAll(): Promise<WitnessReport> {
    let report: WitnessReport;
    do {
      this.#isNoticed = false;
      report = await this.#submitOnce();
    } while (this.#isNoticed && report.problem === undefined && !this.#ended.signal.aborted);
    if (report.problem === undefined) this.#failures = 0;
    else this.#retryLater();
    return report;
  }

  async #submitOnce(): Promise<WitnessReport> {
    const {log, url, witness, cosigned, head} = this.#options;
    const {signal} = this.#ended;
    try {
      await cosigned.sync();
      const result = await submitCheckpoint({
        witness,
        cosigned,
        head: (from, rebuild) => head(log, from, rebuild),
        post: (body) => postToWitness(url, body, signal),
      });
      return this.#report(result);
    } catch (error) {
      const message = messageOf(error);
      // What was ended here says nothing about the witness.
      if (signal.aborted) return this.#made({ok: false, kind: 'unreachable', message});
      return this.#report({ok: false, kind: 'unreachable', message});
    }
  }

  #retryLater(): void {
    if (this.#ended.signal.aborted) return;
    this.#timer = setTimeout(() => void this.submit(), this.#options.firstPauseMs * 2 ** Math.min(this.#failures, 8));
    this.#timer.unref();
    this.#failures += 1;
  }

  #report(result: SubmissionResult): WitnessReport {
    const {reports, witness, onRejected, log} = this.#options;
    const before = reports.read(witness.id)?.problem;
    const report = this.#made(result);
    reports.write(witness.id, report);
    const {problem} = report;
    if (problem !== undefined && problem.kind !== 'unreachable' && problem.kind !== before?.kind) {
      onRejected(`witness ${witness.name} does not cosign the ${log}: ${problem.message}`);
    }
    return report;
  }

  #made(result: SubmissionResult): WitnessReport {
    const {reports, witness, cosigned, now} = this.#options;
    const at = now();
    const size = cosigned.newest(witness.id);
    if (result.ok) return {at, cosigned: size};
    const {kind, message} = result;
    const before = reports.read(witness.id)?.problem;
    return {at, cosigned: size, problem: {kind, message, since: before?.kind === kind ? before.since : at}};
  }
}

/** Leaves no timer, which would keep the process alive. */
async function endsLate(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), ms);
  });
  try {
    return await Promise.race([work.then(() => false), late]);
  } finally {
    clearTimeout(timer);
  }
}
