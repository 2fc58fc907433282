// The snapshots of one event log: which one the log confirms, and when the next one is due.
import {
  isPromise,
  type MaybePromise,
  type NewEvent,
  type Snapshot,
  type SnapshotStore,
} from '@lumenflow/kernel/adapters';
import type {KernelEvent} from '@lumenflow/schemas';

/** A start reads about this part of a long log at most. So snapshots cost the same for each event, however long the log is. */
const unreadShare = 1 / 64;

/** A stored snapshot that no event confirms yet. */
export interface StoredSnapshot extends Snapshot {
  readonly sha256: string;
}

export interface SnapshotLog {
  /** Events between two snapshots of a short log. */
  readonly every: number;
  /** With what the log was opened: the events before it were not read. */
  readonly opened: StoredSnapshot | undefined;
  /** The last event that listeners have received. */
  seq(): number;
  /** Stores the state after that event; returns the hash of what was stored. */
  write(text: string): MaybePromise<string>;
  record(event: NewEvent): Promise<void>;
  onWarning(message: string): void;
}

export class EventSnapshots implements SnapshotStore {
  readonly #log: SnapshotLog;
  #confirmed: Snapshot | undefined;
  /** The last event that a snapshot includes. */
  #throughSeq = 0;

  constructor(log: SnapshotLog) {
    this.#log = log;
  }

  newest(): Snapshot | undefined {
    return this.#confirmed;
  }

  isDue(): boolean {
    const seq = this.#log.seq();
    return seq - this.#throughSeq >= Math.max(this.#log.every, seq * unreadShare);
  }

  async keep(text: string, timestamp: string): Promise<void> {
    const through_seq = this.#log.seq();
    try {
      const written = this.#log.write(text);
      const sha256 = isPromise(written) ? await written : written;
      const event = {
        type: 'state_snapshot' as const,
        timestamp,
        actor: 'kernel.snapshot',
      };
      await this.#log.record({...event, through_seq, sha256});
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.onWarning(`no snapshot of the state was stored: ${reason}`);
    }
  }

  /** Must be called for each event. */
  notice(event: KernelEvent): void {
    if (event.type !== 'state_snapshot') return;
    const {opened} = this.#log;
    this.#throughSeq = event.through_seq;
    if (opened?.throughSeq === event.through_seq && opened.sha256 === event.sha256) this.#confirmed = opened;
  }
}
