// The event log: each host reads what all hosts appended, and appends only to what it has read.
import {isKernelError, KernelError} from '@lumenflow/kernel';
import type {EventLog, EventRange, NewEvent} from '@lumenflow/kernel/adapters';
import {createLineCursor, EventSnapshots, type FetchLines, type LineCursor} from '@lumenflow/kernel/node';
import type {KernelEvent} from '@lumenflow/schemas';
import {validateEvent} from '@lumenflow/schemas/validators';
import {randomUUID} from 'node:crypto';
import type {Database} from '../connection/database.ts';
import type {ArchivedLines} from './archived-lines.ts';
import {linesOf} from './lines-of.ts';
import {readSnapshots, writeSnapshot, type FoundSnapshot} from './snapshot-table.ts';

type Decide<T> = () => {readonly events: readonly NewEvent[]; readonly result: T};
type Listener = (event: KernelEvent) => void;

const noLine = '0'.repeat(64);
const snapshotEveryDefault = 1_000;
const readAtOnce = 1_000;

export interface PostgresEventLogOptions {
  readonly database: Database;
  /** This process, as it appears in the table of processes. */
  readonly writer: string;
  readonly archived: ArchivedLines;
  /** Events between two snapshots of a short log. */
  readonly snapshotEvery?: number | undefined;
  readonly onWarning: (message: string) => void;
}

export class PostgresEventLog implements EventLog {
  readonly #database: Database;
  readonly #writer: string;
  readonly #fetch: FetchLines;
  readonly #cursor: LineCursor;
  readonly snapshots: EventSnapshots;
  readonly #listeners = new Set<Listener>();
  /** The reading that has not begun: requests before it share it. */
  #next: Promise<void> | undefined;
  #reading: Promise<void> = Promise.resolve();
  #last: Promise<unknown> = Promise.resolve();
  #appended = 0;
  #isClosed = false;

  private constructor(options: PostgresEventLogOptions, snapshot?: FoundSnapshot) {
    const {database, writer, archived, snapshotEvery: every = snapshotEveryDefault, onWarning} = options;
    this.#database = database;
    this.#writer = writer;
    this.#fetch = linesOf(database, 'events', archived);
    this.#cursor = createLineCursor(this.#fetch, snapshot?.position);
    this.snapshots = new EventSnapshots({
      every,
      opened: snapshot,
      seq: () => this.#cursor.position.seq,
      write: (text) => writeSnapshot(database, this.#cursor.position, text),
      record: (event) => this.transact(() => ({events: [event], result: undefined})),
      onWarning,
    });
  }

  /** Reads the events after the newest snapshot, or all of them. Rejects with KernelError LOG_CORRUPT, LOG_UNAVAILABLE. */
  static async open(options: PostgresEventLogOptions): Promise<PostgresEventLog> {
    for (const snapshot of await readSnapshots(options.database)) {
      const events = new PostgresEventLog(options, snapshot);
      try {
        await events.refresh();
        if (events.snapshots.newest() !== undefined) return events;
      } catch (error) {
        // Whether the log or the snapshot is wrong shows when the whole log is read.
        if (!isKernelError(error) || error.code !== 'LOG_CORRUPT') throw error;
      }
    }
    const events = new PostgresEventLog(options);
    await events.refresh();
    return events;
  }

  /** How many events this process appended. */
  get appended(): number {
    return this.#appended;
  }

  refresh(): Promise<void> {
    return this.#isClosed ? Promise.resolve() : this.#refresh();
  }

  transact<T>(decide: Decide<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new KernelError('RUNTIME_CLOSED', 'the runtime is closed'));
    const done = this.#last.then(() => this.#transactNow(decide));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async onEvent(listener: Listener, afterSeq = 0): Promise<() => void> {
    // Nothing is read in the meantime, so no event is missed and none comes twice.
    await this.#inTurn(async () => {
      for (const event of await this.read({afterSeq})) listener(event);
      this.#listeners.add(listener);
    });
    return () => void this.#listeners.delete(listener);
  }

  async read({afterSeq = 0, limit}: EventRange): Promise<readonly KernelEvent[]> {
    const until = this.#cursor.position.seq;
    const end = Math.min(until, afterSeq + (limit ?? until));
    const found: KernelEvent[] = [];
    for (let seq = afterSeq; seq < end;) {
      const lines = await this.#fetch(seq, Math.min(end - seq, readAtOnce));
      if (lines.length === 0) break;
      for (const line of lines) found.push(JSON.parse(line) as KernelEvent);
      seq += lines.length;
    }
    return found;
  }

  /** Reads all events; returns their number. */
  async settle(): Promise<number> {
    return await this.transact(() => ({events: [], result: this.#cursor.position.seq}));
  }

  /** Waits for the transactions under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
    await this.#reading;
  }

  #refresh(): Promise<void> {
    this.#next ??= this.#inTurn(() => {
      this.#next = undefined;
      return this.#read();
    });
    return this.#next;
  }

  /** Readings and new listeners, one after the other. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#reading.then(work);
    // The caller gets the failure; the next one only waits for its end.
    this.#reading = done.catch(() => undefined);
    return done;
  }

  async #transactNow<T>(decide: Decide<T>): Promise<T> {
    const batch = randomUUID();
    for (;;) {
      await this.#refresh();
      const {events, result} = decide();
      if (events.length === 0) return result;
      const bodies = events.map(bodyOf);
      const [row] = await this.#database.ask<{seq: string | null}>({
        name: 'append-events',
        text: 'select append_events($1, $2, $3, $4) as seq',
        values: [batch, this.#writer, this.#cursor.position.seq, bodies],
      });
      // Null: another host was first, so the decision is made again, on what it appended.
      if (row?.seq === null || row === undefined) continue;
      this.#appended += events.length;
      await this.#refresh();
      return result;
    }
  }

  async #read(): Promise<void> {
    const stop = await this.#cursor.advance((line) => {
      const event: unknown = JSON.parse(line.toString());
      if (!validateEvent(event)) return false;
      this.snapshots.notice(event as KernelEvent);
      for (const listener of this.#listeners) listener(event as KernelEvent);
      return true;
    });
    if (stop.kind !== 'wrong') return;
    const {seq} = this.#cursor.position;
    throw new KernelError('LOG_CORRUPT', `${this.#database.location} event ${seq + 1} ${stop.reason}`);
  }
}

function bodyOf(event: NewEvent): string {
  if (validateEvent({seq: 1, prev: noLine, ...event})) return JSON.stringify(event);
  throw new KernelError(
    'BROKEN_INVARIANT',
    `an event \`${event.type}\` does not match its schema and was not recorded`,
  );
}
