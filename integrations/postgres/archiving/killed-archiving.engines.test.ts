// A host that is killed at each step of archiving, and a database that fails at each of them.
import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {openFolderArchive, sha256Hex} from '@lumenflow/kernel/node';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {grantUse} from '../schema/migrate.ts';
import {Database} from '../connection/database.ts';
import {createPostgresServer, noServer, type PostgresServer} from '../testing/create-postgres-server.ts';
import {
  createArchivedDatabase,
  later,
  recordCall,
  recordEvents,
  type ArchivedDatabase,
} from './archived-database.fixture.ts';

let server: PostgresServer;
let home: ArchivedDatabase;

async function fill(): Promise<void> {
  const host = await home.open();
  for (const id of ['call-1', 'call-2', 'call-3']) await recordCall(host, id);
  await recordEvents(host, 3);
  await host.signed.checkpoint();
  await host.close();
}

const fixture = fileURLToPath(new URL('kill-archiving.fixture.ts', import.meta.url));

/** Returns the number of steps, or undefined if it was killed. */
function archiveKilledAt(step: number, url: string, archive: string): number | undefined {
  const nodeArgs = ['--import', 'tsx', '--conditions=@lumenflow/source', fixture, url, archive, String(step)];
  const done = spawnSync(process.execPath, nodeArgs, {encoding: 'utf8'});
  if (done.signal === 'SIGKILL') return undefined;
  expect([done.status, done.stderr]).toEqual([0, '']);
  return Number(done.stdout);
}

async function copyOf(name: string): Promise<string> {
  const from = new URL(home.url).pathname.slice(1);
  const at = new URL(home.url);
  const maintenance = new Database({url: Object.assign(new URL(at), {pathname: '/postgres'}).href});
  await maintenance.ask({text: `create database ${name} template ${from}`});
  await maintenance.close();
  return Object.assign(new URL(at), {pathname: `/${name}`}).href;
}

describe.skipIf(noServer !== undefined)('an archiving of a database', () => {
  beforeAll(async () => {
    server = await createPostgresServer();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    home = createArchivedDatabase(await server.createDatabase());
    await fill();
  });
  afterEach(() => home.remove());

  test('that is killed before any step loses nothing, and the next one completes it', async () => {
    const before = await home.verify();
    expect(before).toMatchObject({status: 'verified', records: 6, blobs: 6});
    const steps = archiveKilledAt(0, await copyOf('whole'), join(home.root, 'whole')) ?? 0;
    // Three for each segment and for each pack.
    expect(steps).toBeGreaterThanOrEqual(9);
    for (let step = 1; step <= steps; step += 1) {
      const [url, folder] = [await copyOf(`step${step}`), join(home.root, `step-${step}`)];
      expect([step, archiveKilledAt(step, url, folder)]).toEqual([step, undefined]);
      const archive = openFolderArchive(folder);
      const killed = await home.verify({url, archive});
      expect({step, findings: killed.findings, blobs: killed.blobs}).toMatchObject({step, blobs: 6});
      expect(killed.root).toBe(before.root);

      const next = await home.open({url, archive});
      // A content that is destroyed now must not remain in an object that the killed one left.
      await next.contents.shred(sha256Hex('{"id":"call-2"}'));
      for (const key of await archive.list('contents/')) {
        expect([step, (await archive.get(key))?.includes('{"id":"call-2"}')]).toEqual([step, false]);
      }
      await next.archive?.(later);
      await next.signed.checkpoint();
      expect(await next.archive?.(later)).toMatchObject({contents: {files: 0}});
      await next.close();
      expect({step, ...(await home.verify({url, archive}))}).toMatchObject({step, root: before.root, blobs: 5});
      const segments = await archive.list('traces/');
      expect([step, segments.length]).toEqual([
        step,
        (await openFolderArchive(join(home.root, 'whole')).list('traces/')).length,
      ]);
    }
  }, 600_000);

  test('continues after the server was killed at each kind of step', async () => {
    const kinds = new Set<string>();
    const killing: Promise<void>[] = [];
    const host = await home.open({
      retryMs: 120_000,
      onArchiveStep: (step) => {
        const kind = /^\w+ (?:contents)?/u.exec(step)?.[0] ?? '';
        if (kinds.has(kind)) return;
        kinds.add(kind);
        killing.push(server.kill().then(() => server.start()));
      },
    });
    const failures: unknown[] = [];
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const done = await host.archive?.(later).catch((error: unknown) => error);
      await Promise.all(killing);
      if (!(done instanceof Error)) break;
      failures.push(done);
    }
    // The lock was lost with its connection: nothing is removed without it.
    expect(failures.length).toBeGreaterThan(0);
    for (const each of failures) {
      expect(each).toMatchObject({
        code: 'LOG_UNAVAILABLE',
        message: expect.stringContaining('postgresql://localhost/'),
      });
    }
    expect([...kinds].toSorted()).toEqual(
      ['begin contents', 'put ', 'put contents', 'record ', 'remove ', 'remove contents'].toSorted(),
    );
    await host.signed.checkpoint();
    expect(await home.verify()).toMatchObject({status: 'verified', records: 6, blobs: 6});
    expect(await home.query('select count(*) from lumenflow.records where line is not null')).toEqual([{count: '0'}]);
    for (const key of await home.store.list('contents/')) {
      expect(await home.query('select count(*) from lumenflow.archived_packs where key = $1', [key])).toEqual([
        {count: '1'},
      ]);
    }
  }, 600_000);

  test('needs a role that may archive, and that role removes only what is recorded as archived', async () => {
    const owner = new Database({url: home.url});
    await home.query('create role plain login; create role archiver login');
    await grantUse(owner, 'plain');
    await grantUse(owner, 'archiver', {archives: true});
    await owner.close();
    const as = (role: string): string => home.url.replace('//lumenflow@', `//${role}@`);

    const plain = await home.open({url: as('plain')});
    await expect(plain.archive?.(later)).rejects.toMatchObject({
      code: 'LOG_UNAVAILABLE',
      message: expect.stringContaining('run `lumenflow state migrate --grant-archive plain`'),
    });
    expect(await home.store.list('')).toEqual([]);
    const archiver = await home.open({url: as('archiver')});
    const forged = new Database({url: as('archiver')});
    const remove = (last: number, sha256: string, event: number): Promise<unknown> =>
      forged.ask({
        text: 'select archive_segment($1, 1, $2, $3, $4, $5, $6)',
        values: ['traces', last, 'file:/x', `traces/${sha256}`, sha256, event],
      });
    await expect(remove(6, 'ab'.repeat(32), 1)).rejects.toThrow(
      'no event records that traces lines 1 to 6 are in the archive',
    );
    const event = {type: 'evidence_archived', timestamp: later.at, actor: 'eve', log: 'traces', first_seq: 1} as const;
    const record = async (last_seq: number, sha256: string): Promise<number> => {
      const key = `traces/${sha256}`;
      await archiver.events.transact(() => ({
        events: [{...event, last_seq, archive: 'file:/x', key}],
        result: undefined,
      }));
      return await archiver.logs.events.length();
    };
    const seq = await record(6, 'ab'.repeat(32));
    await expect(remove(6, 'ab'.repeat(32), seq)).rejects.toThrow('traces lines 1 to 6 are not what is in the archive');
    await expect(remove(7, 'cd'.repeat(32), await record(7, 'cd'.repeat(32)))).rejects.toThrow('are not signed');
    for (const statement of [
      'delete from records',
      "update records set line = ''",
      'delete from events',
      'delete from snapshots',
    ]) {
      await expect(forged.ask({text: statement}), statement).rejects.toThrow('permission denied');
    }
    await forged.close();
    await home.query(`delete from lumenflow.events where false`);
    expect((await archiver.archive?.(later))?.segments.length).toBeGreaterThan(0);
    await archiver.signed.checkpoint();
    // A host without that right reads what was archived, and destroys contents in it.
    const {ref = ''} = {ref: (await plain.evidence.receipt('call-2'))?.started.input_ref};
    expect(await plain.contents.get(ref)).toBe('{"id":"call-2"}');
    expect(await plain.contents.shred(sha256Hex('{"id":"call-2"}'))).toEqual([ref]);
    expect(existsSync(join(home.root, 'archive'))).toBe(true);
  });
});
