// Group commit for evidence: callers that meet share one write, and those that asked for the disk share one sync.
// A sync takes its time, so records that need none are written while it runs.
import {ContentDeleted, isKernelError, KernelError} from '@lumenflow/kernel';
import type {BlobStore} from '../blobs/blob-store.ts';
import type {WorkspaceLock} from '../lock/workspace-lock.ts';
import type {SegmentedLog} from '../log/segmented-log.ts';
import {EventLoopTurns} from '../system/event-loop-turns.ts';

interface Waiting {
  readonly bodies: readonly string[];
  /** The contents that they refer to. */
  readonly refs: readonly string[];
  readonly fsync: boolean;
  /** With the number of records in the log when these were written. */
  readonly resolve: (size: number) => void;
  readonly reject: (error: unknown) => void;
}

interface Written {
  readonly waiting: Waiting;
  readonly size: number;
}

export interface AppendOptions {
  readonly fsync: boolean;
  /** The contents that the records refer to. */
  readonly refs?: readonly string[];
}

export interface RecordWriterOptions {
  readonly log: SegmentedLog;
  readonly lock: WorkspaceLock;
  readonly contents: Pick<BlobStore, 'noticeDeletions' | 'canRecord'>;
  /** Brings to disk what records refer to; runs before the records themselves are synced. */
  readonly syncBlobs: () => Promise<void>;
}

export class RecordWriter {
  readonly #log: SegmentedLog;
  readonly #lock: WorkspaceLock;
  readonly #contents: RecordWriterOptions['contents'];
  readonly #syncBlobs: () => Promise<void>;
  readonly #turns = new EventLoopTurns();
  #unwritten: Waiting[] = [];
  #unsynced: Written[] = [];
  /** The stay in the lock in which deletions were noticed. */
  #turn = 0;
  #writing = false;
  #syncing: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(options: RecordWriterOptions) {
    this.#log = options.log;
    this.#lock = options.lock;
    this.#contents = options.contents;
    this.#syncBlobs = options.syncBlobs;
  }

  /** Appends JSON objects in order, all or none. Rejects with KernelError LOG_UNAVAILABLE, which can be ContentDeleted. */
  append(bodies: readonly string[], {fsync, refs = []}: AppendOptions): Promise<void> {
    return new Promise((resolve, reject) => this.#wait({bodies, refs, fsync, resolve: () => resolve(), reject}));
  }

  /**
   * Returns the number of records that all processes have written; with `fsync`, these and their contents are then on disk. Records that
   * are written meanwhile do not count.
   */
  size({fsync}: {readonly fsync: boolean}): Promise<number> {
    return new Promise((resolve, reject) => this.#wait({bodies: [], refs: [], fsync, resolve, reject}));
  }

  /** Later records go to a new segment. */
  async startSegment(): Promise<void> {
    await this.#lock.enter();
    try {
      this.#log.catchUp(this.#lock.turn);
      this.#log.startSegment();
    } finally {
      this.#lock.leave();
    }
  }

  /** Resolves once nothing is under way. */
  async settle(): Promise<void> {
    while (this.#writing || this.#syncing !== undefined) {
      await this.#last;
      await this.#syncing;
    }
  }

  #wait(waiting: Waiting): void {
    this.#unwritten.push(waiting);
    if (this.#writing) return;
    this.#writing = true;
    this.#last = Promise.resolve().then(() => this.#write());
  }

  async #write(): Promise<void> {
    await this.#turns.giveIfDue();
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

  #writeGroup(given: readonly Waiting[]): void {
    let group = given;
    try {
      group = this.#withContents(given);
      const bodies: string[] = [];
      for (const waiting of group) bodies.push(...waiting.bodies);
      this.#log.catchUp(this.#lock.turn);
      if (bodies.length > 0) this.#log.append(bodies);
    } catch (error) {
      rejectAll(group, error);
      return;
    } finally {
      this.#lock.leave();
    }
    const size = this.#log.position.seq;
    for (const waiting of group) {
      if (waiting.fsync) this.#unsynced.push({waiting, size});
      else waiting.resolve(size);
    }
    if (this.#unsynced.length > 0) this.#syncing ??= this.#sync();
  }

  /** Under the lock. Those whose contents can be recorded; rejects the others. */
  #withContents(group: readonly Waiting[]): readonly Waiting[] {
    const {turn} = this.#lock;
    if (turn !== this.#turn) this.#contents.noticeDeletions();
    this.#turn = turn;
    return group.filter(({refs, reject}) => {
      const isComplete = this.#contents.canRecord(refs);
      if (!isComplete) reject(new ContentDeleted());
      return isComplete;
    });
  }

  async #sync(): Promise<void> {
    while (this.#unsynced.length > 0) {
      const group = this.#unsynced;
      this.#unsynced = [];
      try {
        await this.#syncBlobs();
        await this.#log.datasync();
        for (const {waiting, size} of group) waiting.resolve(size);
      } catch (error) {
        rejectAll(
          group.map(({waiting}) => waiting),
          error,
        );
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
