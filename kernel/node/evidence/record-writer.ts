// Group commit for evidence: callers that meet share one write, and those that asked for the disk share one sync.
// A sync takes its time, so records that need none are written while it runs.
import {isKernelError, KernelError} from '@lumenflow/kernel';
import type {WorkspaceLock} from '../lock/workspace-lock.ts';
import type {SegmentedLog} from '../log/segmented-log.ts';

interface Waiting {
  readonly bodies: readonly string[];
  readonly fsync: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface RecordWriterOptions {
  readonly log: SegmentedLog;
  readonly lock: WorkspaceLock;
  /** Brings to disk what records refer to; runs before the records themselves are synced. */
  readonly syncBlobs: () => Promise<void>;
}

export class RecordWriter {
  readonly #log: SegmentedLog;
  readonly #lock: WorkspaceLock;
  readonly #syncBlobs: () => Promise<void>;
  #unwritten: Waiting[] = [];
  #unsynced: Waiting[] = [];
  #writing = false;
  #syncing: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(options: RecordWriterOptions) {
    this.#log = options.log;
    this.#lock = options.lock;
    this.#syncBlobs = options.syncBlobs;
  }

  /** Appends JSON objects in order, all or none. No bodies with `fsync` means: sync what was written before. */
  append(bodies: readonly string[], options: {readonly fsync: boolean}): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#unwritten.push({bodies, fsync: options.fsync, resolve, reject});
      if (this.#writing) return;
      this.#writing = true;
      this.#last = Promise.resolve().then(() => this.#write());
    });
  }

  /** Resolves once nothing is under way. */
  async settle(): Promise<void> {
    while (this.#writing || this.#syncing !== undefined) {
      await this.#last;
      await this.#syncing;
    }
  }

  async #write(): Promise<void> {
    if (!this.#lock.tryEnter()) {
      try {
        await this.#lock.enter();
      } catch (error) {
        this.#writing = false;
        rejectAll(this.#unwritten.splice(0), error);
        return;
      }
    }
    // Records that arrived during the wait for the lock are in this group, too.
    this.#writing = false;
    const group = this.#unwritten;
    this.#unwritten = [];
    this.#writeGroup(group);
  }

  #writeGroup(group: readonly Waiting[]): void {
    const bodies: string[] = [];
    for (const waiting of group) bodies.push(...waiting.bodies);
    try {
      this.#log.catchUp(this.#lock.turn);
      if (bodies.length > 0) this.#log.append(bodies);
    } catch (error) {
      rejectAll(group, error);
      return;
    } finally {
      this.#lock.leave();
    }
    for (const waiting of group) {
      if (waiting.fsync) this.#unsynced.push(waiting);
      else waiting.resolve();
    }
    if (this.#unsynced.length > 0) this.#syncing ??= this.#sync();
  }

  async #sync(): Promise<void> {
    while (this.#unsynced.length > 0) {
      const group = this.#unsynced;
      this.#unsynced = [];
      try {
        await this.#syncBlobs();
        await this.#log.datasync();
        for (const waiting of group) waiting.resolve();
      } catch (error) {
        rejectAll(group, error);
      }
    }
    this.#syncing = undefined;
  }
}

function rejectAll(group: readonly Waiting[], cause: unknown): void {
  const error = isKernelError(cause)
    ? cause
    : new KernelError('LOG_UNAVAILABLE', `evidence cannot be written: ${String(cause)}`, {cause});
  for (const waiting of group) waiting.reject(error);
}
