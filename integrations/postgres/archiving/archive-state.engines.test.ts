// Records in PostgreSQL that are moved to an archive, with several hosts.
import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {recordsOfCall} from '@lumenflow/kernel/conformance';
import {sha256Hex} from '@lumenflow/kernel/node';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {createPostgresServer, noServer, type PostgresServer} from '../testing/create-postgres-server.ts';
import {
  createArchivedDatabase,
  later,
  recordCall,
  recordEvents,
  stateText,
  type ArchivedDatabase,
  type SignedHost,
} from './archived-database.fixture.ts';

let server: PostgresServer;
let home: ArchivedDatabase;

const ids = Array.from({length: 9}, (_, at) => `call-${at}`);

async function filled(): Promise<SignedHost> {
  const host = await home.open();
  for (const id of ids) await recordCall(host, id);
  await recordEvents(host, 20);
  await host.signed.checkpoint();
  // A process that starts finds the snapshot.
  return await home.open();
}

async function inputOf(host: SignedHost, id: string) {
  const {started} = (await host.evidence.receipt(id)) ?? {};
  return {hash: started?.input_hash ?? '', ref: started?.input_ref ?? ''};
}

/** All that was recorded, and a call more. */
async function expectAll(opened: SignedHost): Promise<void> {
  const receipt = await opened.evidence.receipt('call-3');
  expect(receipt?.finished?.result).toBe('success');
  expect(await opened.contents.get(receipt?.started.input_ref ?? '')).toBe('{"id":"call-3"}');
  expect((await opened.evidence.read({limit: 100})).receipts).toHaveLength(10);
  expect((await opened.evidence.read({result: 'success', limit: 3})).receipts[2]?.started.receipt_id).toBe('call-7');
  const lines: string[] = [];
  for await (const line of opened.evidence.export({})) lines.push(line);
  expect(lines).toHaveLength(20);
  expect((await opened.events.read({afterSeq: 0, limit: 22})).map(({seq}) => seq)).toEqual(
    Array.from({length: 22}, (_, at) => at + 1),
  );
  expect(await opened.signed.prove('call-3')).toMatchObject({receipt_id: 'call-3'});
}

const inRows = (what: string): Promise<readonly {readonly count: string}[]> =>
  home.query(`select count(*) from lumenflow.${what}`);

describe.skipIf(noServer !== undefined)('an archive of records in PostgreSQL', () => {
  beforeAll(async () => {
    server = await createPostgresServer();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    home = createArchivedDatabase(await server.createDatabase());
  });
  afterEach(() => home.remove());

  test('is read, continued and verified as before, by every host', async () => {
    const host = await filled();
    const other = await home.open();
    const before = await home.verify();
    expect(before).toMatchObject({status: 'verified', records: 18, blobs: 18});

    const dry = await host.archive?.({...later, dryRun: true});
    expect(await home.store.list('')).toEqual([]);
    const report = await host.archive?.(later);
    expect(report?.segments.map(({log, first_seq, last_seq}) => [log, first_seq, last_seq])).toEqual(
      dry?.segments.map(({log, first_seq, last_seq}) => [log, first_seq, last_seq]),
    );
    expect(dry?.contents).toEqual(report?.contents);
    expect(report?.segments.filter(({log}) => log === 'traces').length).toBeGreaterThan(2);
    expect(report?.segments.filter(({log}) => log === 'events').length).toBeGreaterThan(1);
    expect(report?.contents.files).toBeGreaterThan(2);
    expect(await inRows('records where line is not null')).toEqual([{count: '0'}]);
    expect(await inRows('events where seq <= 20')).toEqual([{count: '0'}]);
    expect(await inRows('contents where bytes is not null')).toEqual([{count: '0'}]);
    for (const key of await home.store.list('')) {
      expect(key).toContain(sha256Hex((await home.store.get(key)) ?? ''));
    }

    await recordCall(other, 'after');
    for (const opened of [host, other, await home.open()]) await expectAll(opened);
    const {root, ...after} = await home.verify();
    expect(after).toMatchObject({findings: [], status: 'verified', records: 20, blobs: 20});
    expect(root).not.toBe(before.root);
    expect((await host.archive?.(later))?.segments.length).toBeGreaterThan(0);
    await host.signed.checkpoint();
    expect(await home.verify()).toMatchObject({findings: [], root, blobs: 20});
  });

  test('needs no archive to start, to record and to sign', async () => {
    const host = await filled();
    await host.archive?.(later);
    await host.signed.checkpoint();
    await host.close();
    rmSync(join(home.root, 'archive'), {recursive: true});
    const without = await home.open({archive: undefined});
    expect(without.events.snapshots?.newest()?.text).toBe(stateText);
    await recordCall(without, 'after');
    // The same input gets the ref of the archived one.
    expect(await without.contents.put('{"id":"call-1"}')).toEqual({
      hash: sha256Hex('{"id":"call-1"}'),
      ref: `inputs/${sha256Hex('{"id":"call-1"}')}`,
    });
    await without.signed.checkpoint();
    expect(without.archive).toBeUndefined();
    const missing = {code: 'LOG_UNAVAILABLE', message: expect.stringContaining('set `archive` in workspace.yaml')};
    await expect(without.evidence.receipt('call-3')).rejects.toMatchObject(missing);
    await expect(home.verify({archive: undefined})).rejects.toMatchObject(missing);
  });

  test('keeps what is newer, unsigned, open, or named by what stays', async () => {
    const host = await home.open();
    const [started, , finished] = recordsOfCall('open');
    await recordCall(host, 'first');
    const shared = await host.contents.put('{"id":"first"}');
    await host.evidence.append([{...started, input_hash: shared.hash, input_ref: shared.ref} as typeof started], {
      fsync: true,
    });
    await recordCall(host, 'second');
    expect((await host.archive?.(later))?.segments).toEqual([]);
    await host.signed.checkpoint();
    expect((await host.archive?.({...later, before: '2026-01-02T03:04:05.000Z'}))?.segments).toEqual([]);
    expect((await host.archive?.(later))?.segments).toMatchObject([{log: 'traces', first_seq: 1, last_seq: 2}]);
    expect(
      await home.query('select count(*) from lumenflow.contents where ref = $1 and bytes is not null', [shared.ref]),
    ).toEqual([{count: '1'}]);
    await host.evidence.append([finished], {fsync: true});
    await host.signed.checkpoint();
    expect((await host.archive?.(later))?.segments).toMatchObject([{log: 'traces', first_seq: 3, last_seq: 6}]);
    // Without a snapshot, no event is archived.
    expect((await host.events.read({afterSeq: 0})).map(({seq}) => seq)).toEqual([1, 2]);
    expect(await home.store.list('events/')).toEqual([]);
  });

  test('gives up what is shredded, for every host, also if one has read it before', async () => {
    const host = await filled();
    const other = await home.open();
    await host.archive?.(later);
    const [secret, plain] = [await inputOf(host, 'call-2'), await inputOf(host, 'call-3')];
    for (const each of [host, other]) expect(await each.contents.get(secret.ref)).toBe('{"id":"call-2"}');
    expect(await other.contents.put('{"id":"call-2"}')).toEqual(secret);
    const before = await home.store.list('contents/');

    expect(await host.contents.shred(secret.hash)).toEqual([secret.ref]);
    other.contents.forget([secret.hash]);
    for (const each of [host, other]) {
      expect(await each.contents.get(secret.ref)).toBeUndefined();
      expect(await each.contents.get(plain.ref)).toBe('{"id":"call-3"}');
    }
    const after = await home.store.list('contents/');
    expect(after.length).toBe(before.length);
    expect(after).not.toEqual(before);
    for (const key of after) expect((await home.store.get(key))?.includes('"call-2"}')).toBe(false);
    const again = await other.contents.put('{"id":"call-2"}');
    expect(again.ref).not.toBe(secret.ref);
    expect(await host.contents.shred(secret.hash)).toEqual([again.ref]);
    expect(await host.contents.shred(secret.hash)).toEqual([]);

    const all = await home.query<{hash: string}>('select hash from lumenflow.contents where pack is not null');
    expect(await other.contents.shredUnneeded?.(new Set(all.map(({hash}) => hash)), async () => undefined)).toBe(17);
    expect(await home.store.list('contents/')).toEqual([]);
    expect(await inRows('archived_packs')).toEqual([{count: '0'}]);
  });

  test('without the archive, an archived content cannot be shredded, and is not lost', async () => {
    const host = await filled();
    await host.archive?.(later);
    const without = await home.open({archive: undefined});
    const {hash, ref} = await inputOf(host, 'call-2');
    await expect(without.contents.shred(hash)).rejects.toMatchObject({
      code: 'LOG_UNAVAILABLE',
      message: expect.stringContaining('set `archive` in workspace.yaml'),
    });
    expect(await host.contents.get(ref)).toBe('{"id":"call-2"}');
  });

  test('that was changed or removed is reported as tampered', async () => {
    const host = await filled();
    await host.archive?.(later);
    await host.signed.checkpoint();
    const [content = '', line = ''] = [(await home.store.list('contents/'))[0], (await home.store.list('traces/'))[1]];
    const path = (key: string): string => join(home.root, 'archive', key);
    const kept = readFileSync(path(content));
    writeFileSync(path(content), 'x');
    expect(await home.verify()).toMatchObject({
      status: 'tampered',
      findings: expect.arrayContaining([expect.stringContaining('which is not what was recorded')]),
    });
    writeFileSync(path(content), kept);
    expect((await home.verify()).status).toBe('verified');
    rmSync(path(line));
    expect(await home.verify()).toMatchObject({
      status: 'tampered',
      findings: expect.arrayContaining([
        expect.stringMatching(/line \d+ cannot be read: the archive file:.* does not contain/u),
      ]),
    });
  });

  test('several hosts archive and shred at once: nothing is lost, and nothing that was shredded remains', async () => {
    const host = await filled();
    const hosts = [host, await home.open(), await home.open(), await home.open()];
    const secrets = await Promise.all(['call-1', 'call-4', 'call-7'].map((id) => inputOf(host, id)));
    await Promise.all([
      ...hosts.map((each) => each.archive?.(later)),
      ...secrets.map(({hash}, at) => hosts[at]?.contents.shred(hash)),
      ...hosts.map((each, at) => recordCall(each, `during-${at}`)),
    ]);
    await host.signed.checkpoint();
    await host.archive?.(later);
    await host.signed.checkpoint();
    for (const {ref} of secrets) expect(await host.contents.get(ref)).toBeUndefined();
    for (const key of await home.store.list('contents/')) {
      expect(/\{"id":"call-[147]"\}/u.test(((await home.store.get(key)) ?? '').toString())).toBe(false);
    }
    const report = await home.verify();
    expect(report).toMatchObject({records: 26, signed_records: 26, blobs: 23});
    // No event explains why the three are gone.
    expect(report.findings).toHaveLength(3);
    expect(readdirSync(join(home.root, 'archive', 'traces')).length).toBe(
      Number((await inRows(`archived_segments where log = 'traces'`))[0]?.count),
    );
  });
});
