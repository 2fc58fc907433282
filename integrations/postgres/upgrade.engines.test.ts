// A schema with data, as an earlier version left it: brought to the newest version, used, and back.
import {spawnSync} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {recordsOfCall} from '@lumenflow/kernel/conformance';
import {verifyWorkspaceState} from '@lumenflow/kernel/node';
import {Client} from 'pg';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {Database} from './connection/database.ts';
import {openPostgresState} from './open-postgres-state.ts';
import {migrate, newestVersion, versionOf} from './schema/migrate.ts';
import {createPostgresServer, noServer, type PostgresServer} from './testing/create-postgres-server.ts';

/** `pg_dump --schema lumenflow --inserts` of each version, named by it. */
const dumps = join(import.meta.dirname, 'schema/dumps');
const versions = readdirSync(dumps).map((name) => Number(/^version-(\d+)\.sql$/u.exec(name)?.[1]));
const tables = ['events', 'records', 'contents', 'specs', 'checkpoints', 'heads'];

const rowsIn = async (url: string): Promise<readonly unknown[]> => {
  const client = new Client({connectionString: url});
  await client.connect();
  try {
    const found: unknown[] = [];
    for (const table of tables) {
      const {rows} = await client.query(
        `select to_jsonb(t) as row from lumenflow.${table} t order by to_jsonb(t)::text`,
      );
      found.push([table, rows.map(({row}: {row: unknown}) => row)]);
    }
    return found;
  } finally {
    await client.end();
  }
};

test('every version but the newest has a dump, and the newest may have one', () => {
  const needed = Array.from({length: newestVersion - 1}, (_, index) => index + 1);
  expect(versions).toEqual(expect.arrayContaining(needed.length === 0 ? [1] : needed));
});

describe.skipIf(noServer !== undefined).each(versions)('a schema of version %i', (version) => {
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    server = await createPostgresServer();
    url = await server.createEmptyDatabase();
    const file = join(dumps, `version-${version}.sql`);
    const restored = spawnSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', file, url], {encoding: 'utf8'});
    expect([restored.status, restored.stderr]).toEqual([0, '']);
  });
  afterAll(() => server.remove());

  test('is migrated with its records, verifies, and is migrated back without losing one', async () => {
    const before = await rowsIn(url);
    const database = new Database({url});
    try {
      expect(await versionOf(database)).toBe(version);
      expect(await migrate(database)).toEqual({from: version, to: newestVersion});
      const state = await openPostgresState({url});
      expect(await verifyWorkspaceState(state, {keys: []})).toMatchObject({records: 12});
      expect((await state.evidence.read({limit: 100})).receipts).toHaveLength(6);
      await state.close();
      expect(await migrate(database, version)).toEqual({from: newestVersion, to: version});
      expect(await rowsIn(url)).toEqual(before);

      expect(await migrate(database)).toEqual({from: version, to: newestVersion});
      const again = await openPostgresState({url});
      await again.evidence.append(recordsOfCall('later'), {fsync: true});
      expect(await again.logs.traces.length()).toBe(15);
      await again.close();
      await migrate(database, version);
      const after = await rowsIn(url);
      expect(JSON.stringify(after)).toContain('"later"');
    } finally {
      await database.close();
    }
  });
});
