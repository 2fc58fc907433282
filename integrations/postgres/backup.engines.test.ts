// A backup with pg_dump while a host records: the restored records are one consistent state, with all that was acknowledged before.
import {spawnSync} from 'node:child_process';
import {recordsOfCall} from '@lumenflow/kernel/conformance';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {openPostgresState} from './open-postgres-state.ts';
import {createPostgresServer, noServer, type PostgresServer} from './testing/create-postgres-server.ts';

describe.skipIf(noServer !== undefined)('pg_dump', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await createPostgresServer();
  });
  afterAll(() => server.remove());

  test('of a schema that hosts use restores into an empty database, and a host continues there', async () => {
    const [from, to] = [await server.createDatabase(), await server.createEmptyDatabase()];
    const state = await openPostgresState({url: from});
    const acknowledged: string[] = [];
    const over = new AbortController();
    const recording = (async () => {
      while (!over.signal.aborted) {
        const id = `r${acknowledged.length}`;
        await state.evidence.append(recordsOfCall(id), {fsync: true});
        acknowledged.push(id);
      }
    })();
    await expect.poll(() => acknowledged.length, {timeout: 60_000}).toBeGreaterThan(20);
    const before = acknowledged.length;
    const dump = spawnSync('pg_dump', ['--schema', 'lumenflow', from], {
      encoding: 'utf8',
      maxBuffer: 256 * 1_024 * 1_024,
    });
    expect([dump.status, dump.stderr]).toEqual([0, '']);
    over.abort();
    await recording;
    await state.close();

    const restore = spawnSync('psql', ['-X', '-v', 'ON_ERROR_STOP=1', '-q', to], {
      input: dump.stdout,
      encoding: 'utf8',
    });
    expect([restore.status, restore.stderr]).toEqual([0, '']);
    const restored = await openPostgresState({url: to});
    const length = await restored.logs.traces.length();
    for (const id of acknowledged.slice(0, before)) expect(await restored.evidence.lines(id)).toHaveLength(3);
    await restored.evidence.append(recordsOfCall('after'), {fsync: true});
    expect(await restored.logs.traces.length()).toBe(length + 3);
    await restored.close();
  }, 120_000);
});
