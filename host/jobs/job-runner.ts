// Runs due jobs until it is closed. It polls a mark at short intervals, and reads the mark before the due jobs, so the next
// check detects every change. Without changes it still checks at longer intervals. Failed jobs are retried and delay no other
// job.
import {Backoff, delayAfter} from './backoff.ts';
import {WakeSignal} from './wake-signal.ts';

export interface Job {
  /** Jobs with the same id never run concurrently. */
  readonly id: string;
  /** Called right before the job would start. If it returns false, the job is due again when the mark has changed. */
  mayBegin(): boolean;
  run(signal: AbortSignal): Promise<void>;
}

export interface DueJobs {
  /** The most urgent first. */
  readonly jobs: readonly Job[];
  /** When more jobs will be due without any change; milliseconds. */
  readonly next_in_ms?: number;
}

export interface JobSource {
  /** Changes whenever something changed that can make a job due. */
  mark(): Promise<string>;
  due(signal: AbortSignal): Promise<DueJobs>;
}

export interface JobRunnerOptions {
  /** Maximum number of concurrent jobs. */
  readonly concurrency: number;
  /** Called when a job, or a check for due jobs, failed; it is retried. */
  onError(error: unknown): void;
  /**
   * The job may have failed because another process had done it already: the failure is reported only if the job is due again.
   */
  isDoubtful(error: unknown): boolean;
}

const tickMs = 500;
/** For changes that no mark reports. */
const lookMsMax = 5 * 60_000;

export class JobRunner {
  readonly #source: JobSource;
  readonly #options: JobRunnerOptions;
  readonly #stop = new AbortController();
  readonly #atWork = new Map<string, Promise<void>>();
  readonly #backoff = new Backoff();
  /** Unconfirmed failures, by job. */
  readonly #unreported = new Map<string, unknown>();
  readonly #signal = new WakeSignal();
  readonly #following: Promise<void>;

  constructor(source: JobSource, options: JobRunnerOptions) {
    this.#source = source;
    this.#options = options;
    this.#following = this.#follow();
  }

  /** Aborts the running jobs by their signal, and waits for them. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#signal.wake();
    await this.#following;
    await Promise.all(this.#atWork.values());
  }

  async #follow(): Promise<void> {
    let seen: string | undefined;
    let lookAt = 0;
    for (let failures = 0; !this.#stop.signal.aborted;) {
      const isWoken = this.#signal.takeSignal();
      try {
        const mark = await this.#source.mark();
        if (isWoken || mark !== seen || performance.now() >= lookAt) lookAt = await this.#look();
        seen = mark;
        failures = 0;
      } catch (error) {
        lookAt = 0;
        failures += 1;
        this.#report(error);
      }
      await this.#signal.pause(failures === 0 ? tickMs : delayAfter(failures));
    }
  }

  /** Starts jobs in the free slots; returns the latest time of the next check. */
  async #look(): Promise<number> {
    const lookedAt = performance.now();
    const {jobs, next_in_ms = lookMsMax} = await this.#source.due(this.#stop.signal);
    const known = new Set([...jobs.map(({id}) => id), ...this.#atWork.keys()]);
    this.#backoff.keepOnly(known);
    for (const id of this.#unreported.keys()) if (!known.has(id)) this.#unreported.delete(id);
    const now = performance.now();
    let lookAt = now + Math.min(next_in_ms, lookMsMax);
    for (const job of jobs) {
      if (this.#stop.signal.aborted || this.#atWork.size >= this.#options.concurrency) break;
      if (this.#atWork.has(job.id)) continue;
      const readyAt = this.#backoff.readyAt(job.id);
      // A job that ran during this check may no longer be due: the next check decides.
      if (readyAt > now || this.#backoff.wasTriedAfter(job.id, lookedAt)) lookAt = Math.min(lookAt, readyAt);
      else if (job.mayBegin()) this.#atWork.set(job.id, this.#carryOut(job));
    }
    return lookAt;
  }

  async #carryOut(job: Job): Promise<void> {
    // Ended jobs are deleted from the map, but never before they were added.
    await Promise.resolve();
    if (this.#unreported.has(job.id)) this.#report(this.#unreported.get(job.id));
    this.#unreported.delete(job.id);
    try {
      await job.run(this.#stop.signal);
    } catch (error) {
      if (this.#options.isDoubtful(error)) this.#unreported.set(job.id, error);
      else this.#report(error);
    }
    this.#backoff.tried(job.id, performance.now());
    this.#atWork.delete(job.id);
    this.#signal.wake();
  }

  /** An interrupted job has not failed. An error of a listener is the listener's own, and surfaces as such. */
  #report(error: unknown): void {
    if (!this.#stop.signal.aborted) queueMicrotask(() => this.#options.onError(error));
  }
}
