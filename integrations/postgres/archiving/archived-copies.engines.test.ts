// What else happens to records of which a part is in the archive: they are moved to files and back, rolled back, and meet a full disk.
import {spawnSync} from 'node:child_process';
import {chownSync, mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {
  compareStates,
  copyState,
  createProcessRegistry,
  importToFiles,
  openFileState,
  verifyEvidence,
} from '@lumenflow/kernel/node';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {Database} from '../connection/database.ts';
import {importToPostgres} from '../import-to-postgres.ts';
import {openPostgresState} from '../open-postgres-state.ts';
import {migrate, newestVersion} from '../schema/migrate.ts';
import {createPostgresServer, noServer, type PostgresServer} from '../testing/create-postgres-server.ts';
import {
  createArchivedDatabase,
  later,
  recordCall,
  recordEvents,
  type ArchivedDatabase,
  type SignedHost,
} from './archived-database.fixture.ts';

let server: PostgresServer;
let home: ArchivedDatabase;

async function filled(): Promise<SignedHost> {
  const host = await home.open();
  for (const id of ['call-1', 'call-2', 'call-3']) await recordCall(host, id);
  await recordEvents(host, 3);
  await host.signed.checkpoint();
  return await home.open();
}

describe.skipIf(noServer !== undefined)('a database with archived records', () => {
  beforeAll(async () => {
    server = await createPostgresServer();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    home = createArchivedDatabase(await server.createDatabase());
  });
  afterEach(() => home.remove());

  test('is copied to files, and archived files are copied to a database', async () => {
    const host = await filled();
    await host.archive?.(later);
    await host.signed.checkpoint();
    const stateFolder = join(home.root, 'files', 'kernel');
    await copyState({from: host, to: await importToFiles(stateFolder)});
    const files = await openFileState({stateFolder, processes: createProcessRegistry(), archive: home.store});
    await compareStates(host, files);
    expect(await verifyEvidence(stateFolder, {verifierKeys: []})).toMatchObject({records: 6, blobs: 6});

    await files.archive?.(later);
    const url = await server.createDatabase();
    const database = new Database({url});
    await copyState({from: files, to: await importToPostgres(database)});
    await database.close();
    const again = await openPostgresState({url, archive: home.store});
    await compareStates(files, again);
    // Events of earlier archivings do not count for lines that are here again, unless they can be archived now.
    const report = await again.archive?.(later);
    expect(report?.segments.filter(({log}) => log === 'traces')).toMatchObject([{first_seq: 1}]);
    expect(report?.segments.filter(({log}) => log === 'events')).toEqual([]);
    expect((await again.evidence.receipt('call-2'))?.finished?.result).toBe('success');
    await again.close();
    await files.close();
  });

  test('loses what a rule deletes there, except for what a newer record names', async () => {
    const host = await filled();
    const [needed, old] = await Promise.all(['call-1', 'call-2'].map((id) => host.contents.put(JSON.stringify({id}))));
    if (needed === undefined || old === undefined) throw new Error('they were not stored');
    await host.archive?.(later);
    const hashes = new Set([needed.hash, old.hash]);
    let steps = 0;
    // The first step is for contents in the database, the others for those in the archive.
    const dropNeeded = async (): Promise<void> => {
      await Promise.resolve();
      if ((steps += 1) === 2) hashes.delete(needed.hash);
    };
    expect(await host.contents.shredUnneeded?.(hashes, dropNeeded)).toBe(1);
    const reader = await home.open();
    expect(await reader.contents.get(needed.ref)).toBe('{"id":"call-1"}');
    expect(await reader.contents.get(old.ref)).toBeUndefined();
  });

  test('is not rolled back to a schema that cannot read the archive, unless all records are deleted', async () => {
    const host = await filled();
    await host.archive?.(later);
    const database = new Database({url: home.url});
    await expect(migrate(database, 1)).rejects.toMatchObject({
      code: 'LOG_UNAVAILABLE',
      message: expect.stringContaining('version 1 cannot read the archive'),
    });
    expect((await host.evidence.receipt('call-2'))?.finished?.result).toBe('success');
    await host.signed.checkpoint();
    await host.close();
    expect(await migrate(database, 0)).toEqual({from: newestVersion, to: 0});
    await migrate(database);
    await database.close();
  });

  test.skipIf(process.getuid?.() !== 0)('loses nothing when the disk of the server is full', async () => {
    const host = await filled();
    const disk = join(home.root, 'disk');
    mkdirSync(disk);
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=755', 'tmpfs', disk]).status).toBe(0);
    try {
      mkdirSync(join(disk, 'space'), {mode: 0o700});
      chownSync(join(disk, 'space'), 65_534, 65_534);
      spawnSync('chmod', ['755', home.root]);
      await home.query(`create tablespace small location '${join(disk, 'space')}'`);
      await home.query('alter table lumenflow.archived_packs set tablespace small');
      await home.query('alter table lumenflow.archived_segments set tablespace small');
      spawnSync('sh', ['-c', 'cat /dev/zero > "$1/filled"', 'sh', disk]);
      await expect(host.archive?.(later)).rejects.toMatchObject({
        code: 'LOG_UNAVAILABLE',
        message: expect.stringContaining('No space left on device'),
      });
      expect(await home.verify()).toMatchObject({records: 6, blobs: 6});
      expect(await home.query('select count(*) from lumenflow.records where line is null')).toEqual([{count: '0'}]);
      rmSync(join(disk, 'filled'));
      expect((await host.archive?.(later))?.contents.files).toBeGreaterThan(0);
      await host.signed.checkpoint();
      expect(await home.verify()).toMatchObject({status: 'verified', records: 6, blobs: 6});
    } finally {
      await home.query('alter table lumenflow.archived_packs set tablespace pg_default');
      await home.query('alter table lumenflow.archived_segments set tablespace pg_default');
      await home.query('drop tablespace if exists small');
      spawnSync('umount', [disk]);
    }
  });
});
