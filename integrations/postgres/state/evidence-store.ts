// The records of calls: written in groups, found by the columns beside them.
import {
  KernelError,
  type EvidenceExportFilter,
  type EvidenceFilter,
  type EvidencePage,
  type Receipt,
} from '@lumenflow/kernel';
import type {EvidenceStore, NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import {RecordEncoder, recordedRefs} from '@lumenflow/kernel/node';
import type {EvidenceRecord} from '@lumenflow/schemas';
import type {Database} from '../connection/database.ts';
import type {ArchivedLines} from './archived-lines.ts';
import {callQuery} from './call-query.ts';
import type {RecordBatches} from './record-batches.ts';
import {indexed, recordRow} from './record-row.ts';

const limitDefault = 100;
const exportedAtOnce = 1_000;

interface LineRow {
  readonly seq: string;
  /** Null if it is in the archive. */
  readonly line: string | null;
}

export class PostgresEvidenceStore implements EvidenceStore {
  readonly #database: Database;
  readonly #batches: RecordBatches;
  readonly #archived: ArchivedLines;
  readonly #encoder = new RecordEncoder();
  #isClosed = false;

  constructor(database: Database, batches: RecordBatches, archived: ArchivedLines) {
    this.#database = database;
    this.#archived = archived;
    this.#batches = batches;
  }

  /** The database is as durable for every record: what it has acknowledged survives a loss of power. */
  async append(records: readonly NewEvidenceRecord[]): Promise<void> {
    if (this.#isClosed) throw new KernelError('RUNTIME_CLOSED', 'the runtime is closed');
    if (records.length === 0) return;
    const rows = records.map((record) => recordRow(record, this.#encoder.encode(record)));
    await this.#batches.append(rows, records.flatMap(recordedRefs));
  }

  async receipt(receiptId: string): Promise<Receipt | undefined> {
    const lines = await this.lines(receiptId);
    return receiptOf(lines.map((line) => JSON.parse(line) as EvidenceRecord));
  }

  async lines(receiptId: string): Promise<readonly string[]> {
    const rows = await this.#database.ask<LineRow & {kind: string}>({
      name: 'lines-of-call',
      text: 'select seq, line, kind from records where receipt_id = $1 order by seq',
      values: [indexed(receiptId)],
    });
    return rows.some(({kind}) => kind === 's') ? await this.#linesOf(rows) : [];
  }

  async read(filter: EvidenceFilter): Promise<EvidencePage> {
    const limit = Math.max(1, filter.limit ?? limitDefault);
    const found = await this.#database.ask<{receipt_id: string; seq: string}>(callQuery(filter, limit + 1));
    const last = found[limit - 1];
    return {
      receipts: await this.#receipts(found.slice(0, limit).map(({receipt_id}) => receipt_id)),
      ...(found.length > limit && last && {next_before_seq: Number(last.seq)}),
    };
  }

  async *export({since, until, task_id}: EvidenceExportFilter): AsyncGenerator<string, void> {
    const values = [task_id === undefined ? null : indexed(task_id), since ?? null, until ?? null];
    const isWhole = values.every((value) => value === null);
    for (let after = 0; ;) {
      const rows = await this.#database.ask<LineRow>({
        text: isWhole
          ? 'select line, seq from records where seq > $1 order by seq limit $2'
          : `select r.line, r.seq from records r join records s on s.seq = r.start_seq and s.kind = 's' where r.seq > $1
             and ($3::text is null or s.task_id = $3) and ($4::timestamptz is null or s.started_at >= $4)
             and ($5::timestamptz is null or s.started_at <= $5) order by r.seq limit $2`,
        values: [after, exportedAtOnce, ...(isWhole ? [] : values)],
      });
      for (const line of await this.#linesOf(rows)) yield `${line}\n`;
      if (rows.length < exportedAtOnce) return;
      after = Number(rows.at(-1)?.seq);
    }
  }

  async openCalls(): Promise<readonly Receipt[]> {
    const open = await this.#database.ask<{receipt_id: string}>({
      text: 'select receipt_id from open_calls order by start_seq',
    });
    return await this.#receipts(open.map(({receipt_id}) => receipt_id));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#batches.settle();
  }

  /** In the order of the ids. */
  async #receipts(ids: readonly string[]): Promise<readonly Receipt[]> {
    if (ids.length === 0) return [];
    const rows = await this.#database.ask<LineRow & {receipt_id: string}>({
      name: 'records-of-calls',
      text: 'select receipt_id, seq, line from records where receipt_id = any($1) order by seq',
      values: [ids],
    });
    const byCall = new Map<string, EvidenceRecord[]>(ids.map((id) => [id, []]));
    const lines = await this.#linesOf(rows);
    for (const [at, {receipt_id}] of rows.entries()) {
      byCall.get(receipt_id)?.push(JSON.parse(lines[at] ?? '') as EvidenceRecord);
    }
    return [...byCall.values()].flatMap((records) => receiptOf(records) ?? []);
  }

  /** Of each row, here or in the archive. */
  async #linesOf(rows: readonly LineRow[]): Promise<readonly string[]> {
    const away = rows.filter(({line}) => line === null).map(({seq}) => Number(seq));
    const found = away.length === 0 ? new Map<number, string>() : await this.#archived.all(away);
    return rows.map(({seq, line}) => line ?? found.get(Number(seq)) ?? '');
  }
}

/** Undefined without a start. */
function receiptOf(records: readonly EvidenceRecord[]): Receipt | undefined {
  const started = records.find((record) => record.type === 'tool_call_started');
  if (started === undefined) return undefined;
  const finished = records.find((record) => record.type === 'tool_call_finished');
  return {
    receipt_id: started.receipt_id,
    started,
    progress: records.filter((record) => record.type === 'tool_call_progress'),
    ...(finished && {finished}),
  };
}
