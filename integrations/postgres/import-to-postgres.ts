// A schema that takes over the records of another state, in one transaction.
import {KernelError} from '@lumenflow/kernel';
import {sha256Hex, type StateImport} from '@lumenflow/kernel/node';
import type {NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import type {Database} from './connection/database.ts';
import {recordRow, type RecordRow} from './state/record-row.ts';

const heads = {events: 'events', traces: 'traces'} as const;

/** Needs the rights of the schema's owner. Rejects with KernelError LOAD_FAILED if the schema has records. */
export async function importToPostgres(database: Database): Promise<StateImport> {
  const client = await database.connect();
  const ask = async (text: string, values: readonly unknown[] = []) => (await client.query(text, [...values])).rows;
  await ask('begin');
  const [found] = (await ask('select sum(seq) as lines from heads')) as {readonly lines: string}[];
  if (found?.lines !== '0') {
    client.release(true);
    throw new KernelError('LOAD_FAILED', `${database.location} already has records: use another schema`);
  }
  return {
    location: database.location,
    async append(log, lines) {
      const last = lines.at(-1);
      if (last === undefined) return;
      const seqs = lines.map((line) => (JSON.parse(line) as {readonly seq: number}).seq);
      if (log === 'events')
        await ask('insert into events select * from unnest($1::bigint[], $2::text[])', [seqs, lines]);
      else await appendRecords(ask, lines, seqs);
      await ask('update heads set seq = $2, hash = $3 where log = $1', [heads[log], seqs.at(-1), sha256Hex(last)]);
    },
    async putContent(ref, text) {
      const bytes = Buffer.from(text);
      await ask('insert into contents values ($1, $2, $3)', [ref, sha256Hex(bytes), bytes]);
    },
    async putShredded(ref, hash) {
      await ask('insert into contents values ($1, $2, null)', [ref, hash]);
    },
    async putSpec(taskId, amendedHash, text) {
      await ask('insert into specs values ($1, $2, $3)', [taskId, amendedHash ?? '', text]);
    },
    async keepCheckpoint(log, size, note) {
      await ask('insert into checkpoints values ($1, $2, $3)', [log, size, note]);
    },
    async finish() {
      await ask('commit');
      client.release();
    },
    async abandon() {
      // A connection that ends takes its transaction with it.
      client.release(true);
    },
  };
}

type Ask = (text: string, values?: readonly unknown[]) => Promise<readonly unknown[]>;

async function appendRecords(ask: Ask, lines: readonly string[], seqs: readonly number[]): Promise<void> {
  const rows = lines.map((line) => recordRow(JSON.parse(line) as NewEvidenceRecord, line));
  const column = (key: keyof RecordRow) => rows.map((row) => row[key] ?? null);
  await ask(
    `insert into records select seq, line, kind::"char", receipt_id, seq, task_id, session_id, tool_name, made_by, result, started_at
     from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
       $10::timestamptz[]) as given(seq, line, kind, receipt_id, task_id, session_id, tool_name, made_by, result, started_at)`,
    [
      seqs,
      lines,
      ...(['kind', 'receipt_id', 'task_id', 'session_id', 'tool_name', 'by', 'result', 'started_at'] as const).map(
        column,
      ),
    ],
  );
  const [first, last] = [seqs.at(0), seqs.at(-1)];
  await ask(
    `update records r set start_seq = s.seq from records s
     where r.seq between $1 and $2 and r.kind <> 's' and s.receipt_id = r.receipt_id and s.kind = 's'`,
    [first, last],
  );
  await ask(
    `insert into open_calls select receipt_id, seq from records where seq between $1 and $2 and kind = 's' on conflict do nothing`,
    [first, last],
  );
  await ask(
    `delete from open_calls o using records f where f.seq between $1 and $2 and f.kind = 'f' and f.receipt_id = o.receipt_id`,
    [first, last],
  );
}
