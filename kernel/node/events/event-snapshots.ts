// The snapshots of one event log: which one the log confirms, and when the next one is due.
import type {NewEvent, Snapshot, SnapshotStore} from '@lumenflow/kernel/adapters';
import type {KernelEvent} from '@lumenflow/schemas';
import type {LogPosition} from '../log/log-position.ts';
import {writeSnapshot, type FoundSnapshot} from './snapshot-files.ts';

/** A start reads about this part of a long log at most. So snapshots cost the same for each event, however long the log is. */
const unreadShare = 1 / 64;

export interface SnapshotOptions {
  readonly folder: string;
  /** Distinguishes this process's temporary files. */
  readonly owner: string;
  /** Events between two snapshots of a short log. */
  readonly every: number;
}

export interface SnapshotLog {
  /** With what the log was opened: the events before it were not read. */
  readonly opened: FoundSnapshot | undefined;
  /** After the last event that listeners have received. */
  position(): LogPosition;
  record(event: NewEvent): Promise<void>;
  onWarning(message: string): void;
}

export class EventSnapshots implements SnapshotStore {
  readonly #options: SnapshotOptions;
  readonly #log: SnapshotLog;
  #confirmed: Snapshot | undefined;
  /** The last event that a snapshot includes. */
  #throughSeq = 0;

  constructor(options: SnapshotOptions, log: SnapshotLog) {
    this.#options = options;
    this.#log = log;
  }

  newest(): Snapshot | undefined {
    return this.#confirmed;
  }

  isDue(): boolean {
    const {seq} = this.#log.position();
    return seq - this.#throughSeq >= Math.max(this.#options.every, seq * unreadShare);
  }

  async keep(text: string, timestamp: string): Promise<void> {
    const {folder, owner} = this.#options;
    const position = this.#log.position();
    try {
      const sha256 = writeSnapshot(folder, owner, {position, text});
      const event = {
        type: 'state_snapshot' as const,
        timestamp,
        actor: 'kernel.snapshot',
      };
      await this.#log.record({...event, through_seq: position.seq, sha256});
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
