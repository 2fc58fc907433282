// Signs heads over the workspace's two logs: on demand, at the end, whenever enough was recorded since the last, and after some time.
import {KernelError} from '@lumenflow/kernel';
import type {LogName} from '../log/log-name.ts';
import type {LogHead} from './log-witnesses.ts';
import {eventsSeen} from './events-seen.ts';
import type {LogReader} from './log-reader.ts';
import type {LogTree} from './log-tree.ts';

/** A log and its tree. */
export interface LogWithTree {
  readonly log: LogReader;
  readonly tree: LogTree;
}

export interface CheckpointerOptions {
  readonly traces: LogWithTree;
  readonly events: LogWithTree;
  /** Records between two checkpoints that are made unasked. */
  readonly every: number;
  /** How long lines stay unsigned at most, in milliseconds, while this process lives. */
  readonly unsignedMs: number;
  readonly onWarning: (message: string) => void;
  /** Called after checkpoints were signed. */
  readonly onSigned?: () => void;
  /** Ends what needs the trees, before they are closed. */
  readonly beforeClose?: () => Promise<void>;
}

export class Checkpointer {
  readonly #options: CheckpointerOptions;
  #signedSize = Number.POSITIVE_INFINITY;
  #running: Promise<unknown> = Promise.resolve();
  #scheduled = false;
  #timer: NodeJS.Timeout | undefined;
  /** There were unsigned lines of others at the start: a process that was killed cannot sign its own. */
  #foundUnsigned = false;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
  }

  /** Throws KernelError LOG_CORRUPT if a log has fewer lines than were signed, because continuing would hide that. */
  async checkLogs(): Promise<void> {
    const {events, traces} = this.#options;
    for (const {tree, log} of [events, traces]) {
      // Read first, so that a checkpoint of another process is not missed.
      const signed = await tree.newestSize();
      const lines = await log.length();
      this.#foundUnsigned ||= lines > signed;
      if (lines < signed) {
        const message = `\`${log.location}\` has ${lines} lines, but a checkpoint was signed over ${signed}`;
        throw new KernelError(
          'LOG_CORRUPT',
          `${message}: restore the missing ones, or run \`lumenflow evidence salvage\``,
        );
      }
    }
    this.#signedSize = await traces.tree.newestSize();
    this.#timer = setInterval(() => this.#signInBackground(() => this.#signUnsigned()), this.#options.unsignedMs);
    this.#timer.unref();
  }

  /** Signs both logs; gives the note over the traces. One at a time. */
  checkpoint(): Promise<string> {
    return this.#inTurn(() => this.#sign());
  }

  /** Signs the unsigned records, and runs `work`, such as a proof, before the tree changes again. */
  signThen<T>(make: (note: string, tree: LogTree) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => make(await this.#sign(), this.#options.traces.tree));
  }

  /** The newest checkpoint of a log, and the proof that it continues the first `from` lines. Undefined if nothing is signed. */
  head(name: LogName, from: number, rebuild: boolean): Promise<LogHead | undefined> {
    const {tree} = this.#options[name];
    return this.#inTurn(async () => {
      if (rebuild) tree.startOver();
      return await tree.head(from);
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#running.then(work);
    // The caller gets the failure; the next checkpoint only waits for the end of this one.
    this.#running = done.catch(() => undefined);
    return done;
  }

  /** Must be called with the number of records; signs in the background when enough are unsigned. */
  noticeSize(size: number): void {
    if (this.#scheduled || size - this.#signedSize < this.#options.every) return;
    this.#signInBackground(() => this.#signIfDue());
  }

  #signInBackground(work: () => Promise<void>): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#inTurn(work)
      .catch((error: unknown) => this.#options.onWarning(`a checkpoint could not be made: ${String(error)}`))
      .finally(() => {
        this.#scheduled = false;
      });
  }

  /**
   * Signs what this process appended and what it found unsigned, nothing when it only read, and waits for what is under way.
   */
  async close(): Promise<void> {
    const {events, traces, beforeClose} = this.#options;
    clearInterval(this.#timer);
    try {
      if (this.#foundUnsigned || events.log.appended() + traces.log.appended() > 0) await this.checkpoint();
    } finally {
      await beforeClose?.();
      await this.#running;
      traces.tree.close();
      events.tree.close();
    }
  }

  /** Another process may have signed in the meantime. */
  async #signIfDue(): Promise<void> {
    const {traces, every} = this.#options;
    this.#signedSize = await traces.tree.newestSize();
    if ((await traces.log.settle()) - this.#signedSize >= every) await this.#sign();
  }

  /** Whether of this process or of one that was killed. */
  async #signUnsigned(): Promise<void> {
    for (const {log, tree} of [this.#options.events, this.#options.traces]) {
      if ((await log.length()) > (await tree.newestSize())) return void (await this.#sign());
    }
  }

  async #sign(): Promise<string> {
    const {events, traces, onSigned} = this.#options;
    const eventsSize = await events.log.settle();
    if (eventsSize > 0) await events.tree.sign([], eventsSize);
    const note = await traces.tree.sign([eventsSeen(eventsSize)]);
    this.#signedSize = await traces.tree.newestSize();
    onSigned?.();
    return note;
  }
}
