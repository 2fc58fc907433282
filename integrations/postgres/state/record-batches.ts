// Group commit: records that arrive while others are on their way to the database go together with the next statement.
import {KernelError} from '@lumenflow/kernel';
import {randomUUID} from 'node:crypto';
import type {Database} from '../connection/database.ts';
import type {RecordRow} from './record-row.ts';

interface Waiting {
  readonly rows: readonly RecordRow[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class RecordBatches {
  readonly #database: Database;
  readonly #writer: string;
  #waiting: Waiting[] = [];
  #sending: Promise<void> | undefined;
  #appended = 0;

  constructor(database: Database, writer: string) {
    this.#database = database;
    this.#writer = writer;
  }

  /** How many records this process appended. */
  get appended(): number {
    return this.#appended;
  }

  /** All rows in order, or none. Resolves once they are durable. */
  append(rows: readonly RecordRow[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({rows, resolve, reject});
      this.#sending ??= Promise.resolve().then(() => this.#send());
    });
  }

  /** Resolves once nothing is under way. */
  async settle(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        const rows = group.flatMap((waiting) => waiting.rows);
        await this.#database.ask(this.#append(rows));
        this.#appended += rows.length;
        for (const {resolve} of group) resolve();
      } catch (error) {
        for (const {reject} of group) reject(unavailable(error));
      }
    }
    this.#sending = undefined;
  }

  #append(rows: readonly RecordRow[]) {
    const column = <Key extends keyof RecordRow>(key: Key) => rows.map((row) => row[key] ?? null);
    return {
      name: 'append-records',
      text: 'select append_records($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::timestamptz[])',
      values: [
        randomUUID(),
        this.#writer,
        ...(
          ['body', 'kind', 'receipt_id', 'task_id', 'session_id', 'tool_name', 'by', 'result', 'started_at'] as const
        ).map(column),
      ],
    };
  }
}

function unavailable(cause: unknown): unknown {
  if (cause instanceof KernelError) return cause;
  return new KernelError('LOG_UNAVAILABLE', `evidence cannot be written: ${String(cause)}`, {cause});
}
