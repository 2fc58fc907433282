// Group commit: records that arrive while others are on their way to the database go together with the next statement.
import {ContentDeleted, KernelError} from '@lumenflow/kernel';
import {randomUUID} from 'node:crypto';
import type {Database} from '../connection/database.ts';
import type {RecordRow} from './record-row.ts';

interface Waiting {
  readonly rows: readonly RecordRow[];
  /** The contents that they name. */
  readonly refs: readonly string[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class RecordBatches {
  readonly #database: Database;
  readonly #writer: string;
  #waiting: Waiting[] = [];
  #sending: Promise<void> | undefined;
  #appended = 0;
  readonly #onDeleted: () => void;

  /** `onDeleted`: other hosts have deleted contents. */
  constructor(database: Database, writer: string, onDeleted: () => void) {
    this.#database = database;
    this.#writer = writer;
    this.#onDeleted = onDeleted;
  }

  /** How many records this process appended. */
  get appended(): number {
    return this.#appended;
  }

  /** All rows in order, or none. Resolves once they are durable. Rejects with ContentDeleted if a content is gone. */
  append(rows: readonly RecordRow[], refs: readonly string[] = []): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({rows, refs, resolve, reject});
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
        const refs = group.flatMap((waiting) => waiting.refs);
        const [answer] = await this.#database.ask<{gone: readonly string[]}>(this.#append(rows, refs));
        if (answer !== undefined && answer.gone.length > 0) {
          this.#repeat(group, new Set(answer.gone));
          continue;
        }
        this.#appended += rows.length;
        for (const {resolve} of group) resolve();
      } catch (error) {
        for (const {reject} of group) reject(unavailable(error));
      }
    }
    this.#sending = undefined;
  }

  /** Nothing of the group was appended: those whose contents are there go with the next statement, first. */
  #repeat(group: readonly Waiting[], gone: ReadonlySet<string>): void {
    this.#onDeleted();
    const isComplete = ({refs}: Waiting): boolean => !refs.some((ref) => gone.has(ref));
    for (const waiting of group) if (!isComplete(waiting)) waiting.reject(new ContentDeleted());
    this.#waiting = [...group.filter(isComplete), ...this.#waiting];
  }

  #append(rows: readonly RecordRow[], refs: readonly string[]) {
    const column = <Key extends keyof RecordRow>(key: Key) => rows.map((row) => row[key] ?? null);
    return {
      name: 'append-records',
      text: 'select append_named_records($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::timestamptz[]) as gone',
      values: [
        randomUUID(),
        this.#writer,
        refs,
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
