// The embedded engine: this process advances the runs, and the kernel's log is all that lasts. It has no separate queue: what waits,
// and what is over, is read from the records.
import {
  isFinalError,
  withCheckedRunIds,
  type Engine,
  type EngineRun,
  type EngineWork,
} from '@lumenflow/kernel/adapters';
import {setTimeout as wait} from 'node:timers/promises';
import {delayAfter} from '../jobs/backoff.ts';
import {createCallGate, type CallGate} from '../jobs/call-gate.ts';
import {isAnswered} from './is-answered.ts';

export interface EmbeddedEngineOptions {
  /** Maximum number of runs that are advanced at a time; default 4. */
  readonly slots?: number;
  /** How many attempts in a row may fail before the run is parked; default 10. */
  readonly attemptsMax?: number;
  /** Milliseconds before the next attempt, after this number of attempts. */
  delayAfter?(tries: number): number;
  /** Called when an attempt failed. */
  onError?(error: unknown): void;
}

export function createEmbeddedEngine(work: EngineWork, options: EmbeddedEngineOptions = {}): Engine {
  return withCheckedRunIds(new EmbeddedEngine(work, options));
}

interface Driven {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

class EmbeddedEngine implements Engine {
  readonly name = 'embedded';
  readonly #work: EngineWork;
  readonly #options: EmbeddedEngineOptions;
  readonly #gate: CallGate;
  readonly #driven = new Map<string, Driven>();
  /** Of runs that are driven or parked. */
  readonly #states = new Map<string, EngineRun>();

  constructor(work: EngineWork, options: EmbeddedEngineOptions) {
    this.#work = work;
    this.#options = options;
    this.#gate = createCallGate(options.slots ?? 4);
  }

  async start(run_id: string): Promise<boolean> {
    const read = await this.#work.read(run_id);
    if (this.#driven.has(run_id) || read?.state === 'over') return false;
    if (read?.state === 'waiting' && !this.#states.has(run_id)) return false;
    this.#launch(run_id);
    return true;
  }

  async signal(run_id: string, answered: readonly string[]): Promise<boolean> {
    const run = await this.query(run_id);
    if (this.#driven.has(run_id) || run?.state !== 'waiting' || !isAnswered(run.waits_for, answered)) return false;
    this.#launch(run_id);
    return true;
  }

  async query(run_id: string): Promise<EngineRun | undefined> {
    const known = this.#states.get(run_id);
    if (known) return known;
    const read = await this.#work.read(run_id);
    return read?.state === 'waiting' ? read : undefined;
  }

  async wait(run_id: string, signal?: AbortSignal): Promise<EngineRun | undefined> {
    const {done} = this.#driven.get(run_id) ?? {};
    if (done) await unlessAborted(done, signal);
    return await this.query(run_id);
  }

  async cancel(run_id: string): Promise<void> {
    const {stop, done} = this.#driven.get(run_id) ?? {};
    stop?.abort(new Error(`the run \`${run_id}\` was cancelled`));
    await done;
    this.#states.delete(run_id);
  }

  async close(): Promise<void> {
    const all = [...this.#driven.values()];
    for (const {stop} of all) stop.abort(new Error('the engine was closed'));
    await Promise.all(all.map(({done}) => done));
  }

  #launch(run_id: string): void {
    const stop = new AbortController();
    this.#states.set(run_id, {state: 'queued'});
    this.#driven.set(run_id, {stop, done: this.#drive(run_id, stop.signal)});
  }

  async #drive(run_id: string, signal: AbortSignal): Promise<void> {
    // The caller adds the run first.
    await Promise.resolve();
    const parked = await this.#attemptUntilDone(run_id, signal);
    this.#driven.delete(run_id);
    if (parked === undefined) this.#states.delete(run_id);
    else this.#states.set(run_id, {state: 'parked', reason: parked, since: new Date().toISOString()});
  }

  /** Returns the reason if the run is to be parked. */
  async #attemptUntilDone(run_id: string, signal: AbortSignal): Promise<string | undefined> {
    const {attemptsMax = 10, delayAfter: delayOf = delayAfter, onError} = this.#options;
    for (let tries = 1, failures = 0; ; tries += 1) {
      try {
        if (await this.#attempt(run_id, signal)) return undefined;
        failures = 0;
      } catch (error) {
        if (signal.aborted) return undefined;
        onError?.(error);
        failures += 1;
        if (failures >= attemptsMax || isFinalError(error))
          return error instanceof Error ? error.message : String(error);
      }
      this.#states.set(run_id, {state: 'queued'});
      if (!(await pause(delayOf(tries), signal))) return undefined;
    }
  }

  /** Whether the run needs no further attempt. */
  async #attempt(run_id: string, signal: AbortSignal): Promise<boolean> {
    const {state} = await this.#gate.through(async () => {
      signal.throwIfAborted();
      this.#states.set(run_id, {state: 'running'});
      return await this.#work.advance(run_id, signal);
    });
    return state !== 'later';
  }
}

/** False if it was aborted. Does not keep the process alive. */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await wait(ms, undefined, {signal, ref: false});
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

async function unlessAborted(done: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return await done;
  signal.throwIfAborted();
  await Promise.race([
    done,
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), {once: true});
    }),
  ]);
}
