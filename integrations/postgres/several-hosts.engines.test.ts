// What several hosts and one database do to each other: leases, lost connections, rights, versions of the schema.
import {setTimeout as wait} from 'node:timers/promises';
import type {WorkspaceState} from '@lumenflow/kernel/node';
import {recordsOfCall} from '@lumenflow/kernel/conformance';
import {createProcessRegistry} from '@lumenflow/kernel/node';
import {Client} from 'pg';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {Database} from './connection/database.ts';
import {openPostgresState, type PostgresStateOptions} from './open-postgres-state.ts';
import {grantUse, migrate, newestVersion, versionOf} from './schema/migrate.ts';
import {openProcessLeases} from './state/process-leases.ts';
import {createPostgresServer, noServer, type PostgresServer} from './testing/create-postgres-server.ts';

let server: PostgresServer;
let url: string;
let opened: {close(): Promise<void>}[];

const open = async (options: Partial<PostgresStateOptions> = {}): Promise<WorkspaceState> => {
  const state = await openPostgresState({url, ...options});
  opened.push(state);
  return state;
};
const database = (): Database => {
  const one = new Database({url});
  opened.push(one);
  return one;
};
const query = async (text: string, as = url): Promise<unknown> => {
  const client = new Client({connectionString: as});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};
const append = ({evidence}: WorkspaceState, id: string): Promise<void> =>
  evidence.append(recordsOfCall(id), {fsync: true});
const released = (task_id: string) => ({
  type: 'task_released' as const,
  timestamp: '2026-01-02T03:04:05.678Z',
  actor: 'ann',
  task_id,
  reason: 'r',
});

describe.skipIf(noServer !== undefined)('hosts on one database', () => {
  beforeAll(async () => {
    server = await createPostgresServer();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    url = await server.createDatabase();
    opened = [];
  });
  afterEach(async () => {
    for (const each of opened.toReversed()) await each.close();
  });

  test('a host whose lease is over has ended for the others, and cannot record any more', async () => {
    const [far, near] = [
      {processId: 'aaaa.1.1.1.ff', isAlive: () => true},
      {processId: 'bbbb.2.1.1.ff', isAlive: () => true},
    ];
    const warnings: string[] = [];
    const onWarning = (message: string): void => void warnings.push(message);
    const lost = await openProcessLeases({database: database(), leaseMs: 9_000, local: far, onWarning});
    opened.push(lost);
    const state = await open({processes: lost});
    await append(state, 'r1');
    const other = await openProcessLeases({database: database(), leaseMs: 900, local: near, onWarning});
    opened.push(other);
    expect([other.isAlive(far.processId), other.isAlive('cccc.3.1.1.ff')]).toEqual([true, true]);
    await state.checkWritable?.();
    await expect.poll(() => other.isAlive(far.processId), {timeout: 60_000}).toBe(false);
    await expect(state.checkWritable?.()).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
    expect(other.isAlive('cccc.3.1.1.ff')).toBe(false);
    await expect(append(state, 'r2')).rejects.toMatchObject({
      code: 'LOG_UNAVAILABLE',
      message: expect.stringContaining('was not seen for longer than its lease'),
    });
    await expect(state.events.transact(() => ({events: [released('a')], result: 0}))).rejects.toMatchObject({
      code: 'LOG_UNAVAILABLE',
    });
    await expect.poll(() => warnings, {timeout: 60_000}).toEqual([expect.stringContaining('restart it')]);
  });

  test('records that name a content which another host deleted in the meantime are not appended', async () => {
    const [recorder, deleter] = [await open(), await open()];
    const text = '{"path":"old"}';
    const {hash, ref} = await recorder.contents.put(text);
    const naming = (id: string, input_ref: string) => {
      const [started, ...others] = recordsOfCall(id);
      return recorder.evidence.append([{...started, input_ref} as typeof started, ...others], {fsync: true});
    };
    expect(await deleter.contents.shredUnneeded?.(new Set([hash]), async () => await Promise.resolve())).toBe(1);
    // These three go with one statement: only the second one fails.
    const results = await Promise.allSettled([append(recorder, 'r1'), naming('r2', ref), append(recorder, 'r3')]);
    expect(results.map(({status}) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({reason: {code: 'LOG_UNAVAILABLE', isContentDeleted: true}});
    expect(await recorder.logs.traces.length()).toBe(6);
    expect(await recorder.evidence.receipt('r2')).toBeUndefined();
    // The content is stored again under another ref.
    const again = await recorder.contents.put(text);
    expect(again.ref).not.toBe(ref);
    await naming('r2', again.ref);
    expect((await recorder.evidence.receipt('r2'))?.started.input_ref).toBe(again.ref);
    expect(await deleter.contents.get(again.ref)).toBe(text);
  });

  test('a deletion looks for newer records and requests while no host can append any', async () => {
    const [recorder, deleter] = [await open(), await open()];
    const {hash} = await recorder.contents.put('"old"');
    const order: string[] = [];
    const appended: Promise<unknown>[] = [];
    const dropNeeded = async (): Promise<void> => {
      appended.push(
        append(recorder, 'r1').then(() => order.push('record')),
        recorder.events.transact(() => ({events: [released('a')], result: 0})).then(() => order.push('event')),
      );
      const waits = "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'";
      await expect.poll(() => query(waits), {timeout: 20_000}).toEqual([{n: 2}]);
      order.push('looked');
    };
    expect(await deleter.contents.shredUnneeded?.(new Set([hash]), dropNeeded)).toBe(1);
    await Promise.all(appended);
    expect(order[0]).toBe('looked');
    expect(order.slice(1).toSorted()).toEqual(['event', 'record']);
  });

  test('a database that accepts no writes, such as a standby, is found before a call', async () => {
    const state = await open();
    const name = new URL(url).pathname.slice(1);
    const others =
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null';
    const set = (value: string): Promise<unknown> =>
      query(
        `alter database "${name}" set default_transaction_read_only = ${value}; ${others}`,
        `${url}&options=${encodeURIComponent('-c default_transaction_read_only=off')}`,
      );
    await set('on');
    await expect(state.checkWritable?.()).rejects.toMatchObject({
      code: 'LOG_UNAVAILABLE',
      message: expect.stringContaining('is read-only'),
    });
    await set('off');
    await state.checkWritable?.();
  });

  test('of a host that has ended, the others close the calls and release the tasks, each once', async () => {
    const far = {processId: 'aaaa.1.1.1.ff', isAlive: () => true};
    const lost = await open({processes: far});
    await query(`select lumenflow.start_process('${far.processId}')`);
    const [started] = recordsOfCall('r1');
    await lost.evidence.append([{...started, process_id: far.processId} as typeof started], {fsync: true});
    const others = await Promise.all([1, 2].map(() => open({leaseMs: 600})));
    const ended = others.map(async ({processes, evidence}) => {
      await new Promise<void>((resolve) => {
        processes.onEnded?.(async () => {
          const [call] = await evidence.openCalls();
          if (call !== undefined && processes.isAlive(call.started.process_id)) return;
          await evidence.append([{...recordsOfCall('r1')[2], result: 'crashed'} as typeof started], {fsync: true});
          resolve();
        });
      });
    });
    await Promise.all(ended);
    const [one] = others;
    expect((await one?.evidence.lines('r1'))?.length).toBe(2);
    expect(await one?.evidence.receipt('r1')).toMatchObject({finished: {result: 'crashed'}});
    expect(await one?.logs.traces.length()).toBe(2);
  });

  test('a host that closes has ended at once', async () => {
    const local = {processId: 'aaaa.1.1.1.ff', isAlive: () => true};
    const first = await openProcessLeases({database: database(), local, onWarning: () => undefined});
    const other = await openProcessLeases({database: database(), leaseMs: 300, onWarning: () => undefined});
    opened.push(other);
    expect(other.isAlive(local.processId)).toBe(true);
    await first.close();
    await expect.poll(() => other.isAlive(local.processId), {timeout: 60_000}).toBe(false);
  });

  test('what is under way while the server is killed is recorded once', async () => {
    const [one, two] = [await open({retryMs: 120_000}), await open({retryMs: 120_000})];
    const received: number[] = [];
    await two.events.onEvent(({seq}) => received.push(seq));
    const all: Promise<unknown>[] = [];
    for (let call = 0; call < 200; call += 1) {
      all.push(append(call % 2 === 0 ? one : two, `r${call}`));
      all.push(one.events.transact(() => ({events: [released(`t${call}`)], result: 0})));
      if (call % 100 === 50) {
        await server.kill();
        await server.start();
      }
      await wait(2);
    }
    await Promise.all(all);
    const {receipts} = await two.evidence.read({limit: 1_000});
    expect(receipts.filter(({finished}) => finished !== undefined)).toHaveLength(200);
    expect(await two.logs.traces.length()).toBe(600);
    // Notifications come again after the connection was lost.
    await expect.poll(() => received.length, {timeout: 120_000}).toBe(200);
    expect(received).toEqual(Array.from({length: 200}, (_, at) => at + 1));
  });

  test('without a server a host reports that it cannot record, and does not hang', async () => {
    const state = await open({retryMs: 300});
    await server.kill();
    const failure = {
      code: 'LOG_UNAVAILABLE',
      message: expect.stringMatching(/^postgresql:\/\/localhost\/\w+ \(schema lumenflow\): /u),
    };
    await expect(append(state, 'r1')).rejects.toMatchObject(failure);
    await expect(state.contents.put('x')).rejects.toMatchObject(failure);
    await expect(state.events.refresh()).rejects.toMatchObject(failure);
    await expect(openPostgresState({url, retryMs: 100})).rejects.toMatchObject(failure);
    await server.start();
    await append(state, 'r1');
  });

  test('a granted role appends and reads, and can neither change nor delete', async () => {
    await query('create role host login');
    await grantUse(database(), 'host');
    url = url.replace('//lumenflow@', '//host@');
    const state = await open();
    await append(state, 'r1');
    await state.contents.put('text');
    await state.events.transact(() => ({events: [released('a')], result: 0}));
    for (const statement of [
      `update lumenflow.records set line = '{}'`,
      'delete from lumenflow.records',
      'delete from lumenflow.checkpoints',
      `update lumenflow.heads set seq = 0`,
      'truncate lumenflow.events',
      `insert into lumenflow.events values (7, '{}')`,
      'drop schema lumenflow cascade',
      `update lumenflow.contents set bytes = ''`,
    ]) {
      await expect(query(statement, url), statement).rejects.toMatchObject({code: '42501'});
    }
  });

  test('two workspaces in two schemas share nothing', async () => {
    const other = new Database({url, schema: 'second'});
    opened.push(other);
    await migrate(other);
    const [one, two] = [await open(), await open({schema: 'second'})];
    await append(one, 'r1');
    expect(await two.evidence.receipt('r1')).toBeUndefined();
    expect(await two.logs.traces.length()).toBe(0);
  });

  test('a schema is created, removed and refused by its version', async () => {
    const one = database();
    expect(await versionOf(one)).toBe(newestVersion);
    expect(await migrate(one)).toEqual({from: newestVersion, to: newestVersion});
    expect(await migrate(one, 0)).toEqual({from: newestVersion, to: 0});
    expect(await query(`select tablename from pg_tables where schemaname = 'lumenflow'`)).toEqual([
      {tablename: 'migrations'},
    ]);
    await expect(openPostgresState({url})).rejects.toMatchObject({
      code: 'LOAD_FAILED',
      message: expect.stringContaining('run `lumenflow state migrate`'),
    });
    await Promise.all([migrate(one), migrate(database())]);
    await open();
    await query('insert into lumenflow.migrations values (99)');
    await expect(openPostgresState({url})).rejects.toMatchObject({message: expect.stringContaining('update the host')});
    await expect(migrate(one)).rejects.toMatchObject({message: expect.stringContaining('update the host')});
    await expect(migrate(one, 98)).rejects.toMatchObject({message: expect.stringContaining('there is no version 98')});
  });

  test('an invalid schema name is refused, and a password is never shown', () => {
    expect(() => new Database({url, schema: 'a"; drop'})).toThrow('the schema `a"; drop` is invalid');
    const secret = new Database({url: 'postgresql://ann:secret@server:5432/db'});
    opened.push(secret);
    expect(secret.location).toBe('postgresql://server:5432/db (schema lumenflow)');
  });

  test('a line that was changed in the database is found', async () => {
    const state = await open({processes: createProcessRegistry()});
    await state.events.transact(() => ({events: [released('a'), released('b')], result: 0}));
    await query(`update lumenflow.events set line = replace(line, '"a"', '"x"') where seq = 1`);
    await expect(openPostgresState({url})).rejects.toMatchObject({
      code: 'LOG_CORRUPT',
      message: expect.stringContaining('event 2 does not continue the chain'),
    });
  });
});
