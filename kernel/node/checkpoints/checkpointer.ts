// Signs heads over the workspace's two logs: on demand, at the end, and whenever enough was recorded since the last.
import {KernelError} from '@lumenflow/kernel';
import {eventsSeen} from './events-seen.ts';
import type {LogTree} from './log-tree.ts';

/** A log that can be signed. */
export interface SignedLog {
  readonly tree: LogTree;
  /** Gives how many lines stand. */
  settle(): Promise<number>;
  /** How many lines this process appended. */
  appended(): number;
}

export interface CheckpointerOptions {
  readonly traces: SignedLog;
  readonly events: SignedLog;
  /** Records between two checkpoints that are made unasked. */
  readonly every: number;
  readonly onWarning: (message: string) => void;
}

export class Checkpointer {
  readonly #options: CheckpointerOptions;
  #signedSize: number;
  #running: Promise<unknown> = Promise.resolve();
  #scheduled = false;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
    this.#signedSize = options.traces.tree.newestSize();
  }

  /** Throws KernelError LOG_CORRUPT when a log has fewer lines than were signed: going on would hide that. */
  async checkLogs(): Promise<void> {
    const {events, traces} = this.#options;
    for (const {tree, settle} of [events, traces]) {
      // Asked first: what another process signs meanwhile is not missed.
      const signed = tree.newestSize();
      const lines = await settle();
      if (lines >= signed) continue;
      const message = `\`${tree.logFolder}\` has ${lines} lines, but a checkpoint was signed over ${signed}`;
      throw new KernelError('LOG_CORRUPT', `${message}: restore the missing ones, or move the state folder away`);
    }
  }

  /** Signs both logs; gives the note over the traces. One at a time. */
  checkpoint(): Promise<string> {
    return this.#inTurn(() => this.#sign());
  }

  /** Signs what is not signed yet, and lets a proof be made before the tree changes again. */
  signThen<T>(make: (note: string, tree: LogTree) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => make(await this.#sign(), this.#options.traces.tree));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#running.then(work);
    // The caller gets the failure; the next checkpoint only waits for the end of this one.
    this.#running = done.catch(() => undefined);
    return done;
  }

  /** Told how many records there are; signs in the background when it is time. */
  noticeSize(size: number): void {
    if (this.#scheduled || size - this.#signedSize < this.#options.every) return;
    this.#scheduled = true;
    this.#inTurn(() => this.#signIfDue())
      .catch((error: unknown) => this.#options.onWarning(`a checkpoint could not be made: ${String(error)}`))
      .finally(() => {
        this.#scheduled = false;
      });
  }

  /** Signs what this process appended, nothing when it only read, and waits for what is under way. */
  async close(): Promise<void> {
    const {events, traces} = this.#options;
    try {
      if (events.appended() + traces.appended() > 0) await this.checkpoint();
    } finally {
      await this.#running;
      traces.tree.close();
      events.tree.close();
    }
  }

  /** Another process may have signed meanwhile. */
  async #signIfDue(): Promise<void> {
    const {traces, every} = this.#options;
    this.#signedSize = traces.tree.newestSize();
    if ((await traces.settle()) - this.#signedSize >= every) await this.#sign();
  }

  async #sign(): Promise<string> {
    const {events, traces} = this.#options;
    const eventsSize = await events.settle();
    if (eventsSize > 0) await events.tree.sign({settle: async () => eventsSize});
    const note = await traces.tree.sign({settle: traces.settle, extensions: [eventsSeen(eventsSize)]});
    this.#signedSize = traces.tree.newestSize();
    return note;
  }
}
