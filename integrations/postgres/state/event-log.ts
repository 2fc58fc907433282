// The event log: each host reads what all hosts appended, and appends only to what it has read.
import {KernelError} from '@lumenflow/kernel';
import type {EventLog, EventRange, NewEvent} from '@lumenflow/kernel/adapters';
import {createLineCursor, type LineCursor} from '@lumenflow/kernel/node';
import type {KernelEvent} from '@lumenflow/schemas';
import {validateEvent} from '@lumenflow/schemas/validators';
import {randomUUID} from 'node:crypto';
import type {Database} from '../connection/database.ts';
import {linesOf} from './lines-of.ts';

type Decide<T> = () => {readonly events: readonly NewEvent[]; readonly result: T};
type Listener = (event: KernelEvent) => void;

const noLine = '0'.repeat(64);

export class PostgresEventLog implements EventLog {
  readonly #database: Database;
  readonly #writer: string;
  readonly #cursor: LineCursor;
  readonly #listeners = new Set<Listener>();
  /** The reading that has not begun: requests before it share it. */
  #next: Promise<void> | undefined;
  #reading: Promise<void> = Promise.resolve();
  #last: Promise<unknown> = Promise.resolve();
  #appended = 0;
  #isClosed = false;

  constructor(database: Database, writer: string) {
    this.#database = database;
    this.#writer = writer;
    this.#cursor = createLineCursor(linesOf(database, 'events'));
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
    const rows = await this.#database.ask<{line: string}>({
      name: 'read-events',
      text: 'select line from events where seq > $1 and seq <= $2 order by seq limit $3',
      values: [afterSeq, until, limit ?? null],
    });
    return rows.map(({line}) => JSON.parse(line) as KernelEvent);
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
  throw new KernelError('BROKEN_INVARIANT', `an event \`${event.type}\` does not fit its schema and was not recorded`);
}
