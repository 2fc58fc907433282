// A program that lasts, through all its starts: at most one runner, which serves one call at a time and waits in between.
import type {NetworkReport} from '../network/call-network.ts';
import type {RunnerWithResources, Spare} from '../warm-pool/spare.ts';
import {createIdleRunner, type IdleOptions, type IdleRunner} from './idle-runner.ts';
import type {ServerRecord, Span} from '../backends/lasting-request.ts';
import type {ServerEnd} from './server-end.ts';

export class LastingServer {
  readonly span: Span;
  isBusy = false;
  /** What its network had reported before the current call. */
  reported: NetworkReport | undefined;
  #idle: IdleRunner | undefined;
  #starts = 0;
  #callsOfStart = 0;
  #files: string | undefined;
  #lastEnd: ServerEnd | undefined;

  constructor(span: Span) {
    this.span = span;
  }

  /** The runner that waits for a call. */
  get idle(): IdleRunner | undefined {
    return this.#idle;
  }

  /** A call comes. Returns what earlier ones left; undefined if a runner has to be started, on these files. */
  begin(files: string): Spare | undefined {
    this.isBusy = true;
    if (this.#files !== files) this.#idle?.end('changed');
    const spare = this.#idle?.take();
    this.#idle = undefined;
    this.#callsOfStart += 1;
    if (spare !== undefined) return spare;
    this.#starts += 1;
    this.#callsOfStart = 1;
    this.#files = files;
    this.reported = undefined;
    return undefined;
  }

  /** For the receipt of the current call. */
  record(): ServerRecord {
    const restarted_after = this.#callsOfStart === 1 ? this.#lastEnd : undefined;
    return {
      lifetime: this.span.lifetime,
      start: this.#starts,
      call: this.#callsOfStart,
      ...(restarted_after !== undefined && {restarted_after}),
    };
  }

  /** The current call has its output. `onEnd`: called if the runner ends before a call takes it. */
  wait(runner: RunnerWithResources, options: Omit<IdleOptions, 'served' | 'onEnd'> & {onEnd(): void}): void {
    this.reported = runner.network?.report();
    this.#idle = createIdleRunner(runner, {
      ...options,
      served: this.#callsOfStart,
      onEnd: (why) => {
        this.#idle = undefined;
        this.#lastEnd = why;
        options.onEnd();
      },
    });
  }

  /** The current call is over. `why`: the reason if its runner does not wait. */
  leave(why: ServerEnd): void {
    this.isBusy = false;
    if (this.#idle === undefined) this.#lastEnd = why;
  }
}
