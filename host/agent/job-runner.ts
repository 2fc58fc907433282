// Carries out what is due, for as long as it lives. Nothing here waits to be told: a mark is compared at short intervals,
// and was read before what is due was, so that a change at any moment is seen at the next look; and without any change
// there is a look once in a while. What fails is tried again, and keeps nothing else from its turn.
import {Backoff, delayAfter} from './backoff.ts';
import {WakeSignal} from './wake-signal.ts';

export interface Job {
  /** Jobs of one id are never at work at once. */
  readonly id: string;
  /** Asked right before it would begin. What may not begin now is due again when the mark has changed. */
  mayBegin(): boolean;
  run(signal: AbortSignal): Promise<void>;
}

export interface DueJobs {
  /** The most urgent first. */
  readonly jobs: readonly Job[];
  /** When more will be due, without any change; milliseconds. */
  readonly next_in_ms?: number;
}

export interface JobSource {
  /** Is another text whenever something was changed that can make a job due. */
  mark(): Promise<string>;
  due(signal: AbortSignal): Promise<DueJobs>;
}

export interface JobRunnerOptions {
  /** Jobs at work at once. */
  readonly concurrency: number;
  /** A job, or looking what is due, failed; it is tried again. */
  onError(error: unknown): void;
  /** Perhaps the job failed since another had done it already: that is told only when it is due once more. */
  isDoubtful(error: unknown): boolean;
}

const tickMs = 500;
/** For what no mark can tell. */
const lookMsMax = 5 * 60_000;

export class JobRunner {
  readonly #source: JobSource;
  readonly #options: JobRunnerOptions;
  readonly #stop = new AbortController();
  readonly #atWork = new Map<string, Promise<void>>();
  readonly #backoff = new Backoff();
  /** Doubtful failures, by job. */
  readonly #untold = new Map<string, unknown>();
  readonly #signal = new WakeSignal();
  readonly #following: Promise<void>;

  constructor(source: JobSource, options: JobRunnerOptions) {
    this.#source = source;
    this.#options = options;
    this.#following = this.#follow();
  }

  /** Has the jobs at work end, by their signal, and waits for them. */
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

  /** Begins what there is room for; gives when to look again at the latest. */
  async #look(): Promise<number> {
    const lookedAt = performance.now();
    const {jobs, next_in_ms = lookMsMax} = await this.#source.due(this.#stop.signal);
    const known = new Set([...jobs.map(({id}) => id), ...this.#atWork.keys()]);
    this.#backoff.keepOnly(known);
    for (const id of this.#untold.keys()) if (!known.has(id)) this.#untold.delete(id);
    const now = performance.now();
    let lookAt = now + Math.min(next_in_ms, lookMsMax);
    for (const job of jobs) {
      if (this.#stop.signal.aborted || this.#atWork.size >= this.#options.concurrency) break;
      if (this.#atWork.has(job.id)) continue;
      const readyAt = this.#backoff.readyAt(job.id);
      // What was tried while this look was under way may not be due any more: the next one tells.
      if (readyAt > now || this.#backoff.wasTriedAfter(job.id, lookedAt)) lookAt = Math.min(lookAt, readyAt);
      else if (job.mayBegin()) this.#atWork.set(job.id, this.#carryOut(job));
    }
    return lookAt;
  }

  async #carryOut(job: Job): Promise<void> {
    // What has ended is taken out of the map: not before it was put in.
    await Promise.resolve();
    if (this.#untold.has(job.id)) this.#report(this.#untold.get(job.id));
    this.#untold.delete(job.id);
    try {
      await job.run(this.#stop.signal);
    } catch (error) {
      if (this.#options.isDoubtful(error)) this.#untold.set(job.id, error);
      else this.#report(error);
    }
    this.#backoff.tried(job.id, performance.now());
    this.#atWork.delete(job.id);
    this.#signal.wake();
  }

  /** What its end cut short is no failure; what a listener throws is the listener's, and surfaces as such. */
  #report(error: unknown): void {
    if (!this.#stop.signal.aborted) queueMicrotask(() => this.#options.onError(error));
  }
}
