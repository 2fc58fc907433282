import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {startedRecord} from '../conformance/example-records.ts';
import {openFileState} from '../state/open-file-state.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {listSegments} from '../log/segment-files.ts';
import {createArchivedHome, later, recordCall, type ArchivedHome} from './archived-state.fixture.ts';
import type {SignedState} from '../state/signed-state.fixture.ts';

let home: ArchivedHome;
beforeEach(() => (home = createArchivedHome()));
afterEach(() => home.remove());

async function filled(calls: readonly string[], rotateBytes = 1_500): Promise<SignedState> {
  const state = await home.open({rotateBytes, durability: 'process'});
  for (const id of calls) await recordCall(state, id);
  await state.signed.checkpoint();
  return state;
}

const ids = Array.from({length: 9}, (_, at) => `call-${at}`);
const traces = (): readonly number[] => listSegments(join(home.stateFolder, 'evidence', 'traces'));
const contentFiles = (): readonly string[] =>
  readdirSync(home.inputs).filter((name) => /^[0-9a-f]{64}$|^pack-/u.test(name));

test('an archived log is read, continued and verified as before', async () => {
  const state = await filled(ids);
  const before = await home.verify();
  expect(before.status).toBe('verified');
  const segments = traces().length;
  expect(segments).toBeGreaterThan(3);

  const report = await state.archive?.(later);
  expect(report?.segments.filter(({log}) => log === 'traces')).toHaveLength(segments);
  expect(report?.contents.files).toBeGreaterThan(9);
  expect(traces()).toHaveLength(1);
  expect(contentFiles()).toEqual([]);
  expect(await home.store.list('traces/')).toHaveLength(segments);

  const {root, records, blobs, status} = await home.verify();
  expect({root, records, blobs}).toEqual({root: before.root, records: before.records, blobs: before.blobs});
  // The event that records the archiving is not signed yet.
  expect(status).toBe('unsigned_tail');

  await recordCall(state, 'after');
  for (const opened of [state, await home.open()]) {
    const receipt = await opened.evidence.receipt('call-3');
    expect(receipt?.finished?.result).toBe('success');
    expect(await opened.contents.get(receipt?.started.input_ref ?? '')).toBe('{"id":"call-3"}');
    expect((await opened.evidence.read({limit: 100})).receipts).toHaveLength(10);
    const lines: string[] = [];
    for await (const line of opened.evidence.export({})) lines.push(line);
    expect(lines).toHaveLength(20);
    expect(await opened.signed.prove('call-3')).toMatchObject({receipt_id: 'call-3'});
  }
  expect((await home.verify()).status).toBe('verified');
});

test('a process that was open before continues', async () => {
  const state = await filled(ids);
  const other = await home.open({rotateBytes: 1_500, durability: 'process'});
  await recordCall(other, 'theirs');
  await state.signed.checkpoint();
  await state.archive?.(later);
  await recordCall(other, 'theirs-2');
  await recordCall(state, 'ours-2');
  expect((await other.evidence.receipt('ours-2'))?.finished?.result).toBe('success');
  expect((await other.evidence.receipt('call-1'))?.finished?.result).toBe('success');
  await other.signed.checkpoint();
  expect((await home.verify()).status).toBe('verified');
});

test('what is open, unsigned or newer stays', async () => {
  const state = await filled(ids.slice(0, 5));
  const none = await state.archive?.({...later, before: '2000-01-01T00:00:00.000Z'});
  expect(none).toMatchObject({segments: [], contents: {files: 0}});
  await state.evidence.append([startedRecord('open')], {fsync: false});
  for (const id of ids.slice(5)) await recordCall(state, id);
  // Nothing after the open call, and nothing behind the checkpoint.
  const report = await state.archive?.(later);
  const last = report?.segments.findLast(({log}) => log === 'traces')?.last_seq ?? 0;
  expect(last).toBeGreaterThan(0);
  expect(last).toBeLessThan(11);
  expect((await state.evidence.openCalls()).map(({receipt_id}) => receipt_id)).toEqual(['open']);
});

test('a dry run moves nothing, and reports what an archiving moves', async () => {
  const state = await filled(ids);
  const dry = await state.archive?.({...later, dryRun: true});
  expect(await home.store.list('')).toEqual([]);
  expect(await state.archive?.(later)).toEqual(dry);
});

test('without the archive, a message says what is missing and how to name it', async () => {
  const state = await filled(ids);
  await state.archive?.(later);
  await state.close();
  const alone = await openFileState({stateFolder: home.stateFolder, processes: createProcessRegistry()});
  await expect(alone.evidence.receipt('call-3')).rejects.toMatchObject({
    code: 'LOG_UNAVAILABLE',
    message: expect.stringContaining('--archive'),
  });
  expect(alone.archive).toBeUndefined();
  await alone.close();
});

test('a changed or missing object is found', async () => {
  const state = await filled(ids);
  await state.archive?.(later);
  await state.signed.checkpoint();
  const [key = ''] = await home.store.list('traces/');
  const path = join(home.root, 'archive', key);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('call-0', 'call-X'));
  expect(await home.verify()).toMatchObject({status: 'tampered'});
  rmSync(path);
  const {status, findings} = await home.verify();
  expect({status, findings: findings.join('\n')}).toEqual({status: 'tampered', findings: expect.stringContaining(key)});
});

test('a content that changed in the archive is found', async () => {
  const state = await filled(ids);
  await state.archive?.(later);
  await state.signed.checkpoint();
  const [key = ''] = (await home.store.list('contents/')).filter((each) => !each.includes('pack-'));
  const path = join(home.root, 'archive', key);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"text"', '"test"'));
  expect(await home.verify()).toMatchObject({status: 'tampered'});
});

test('shredding reaches the archive, and leaves the proof', async () => {
  const state = await filled(ids);
  await state.archive?.(later);
  const receipt = await state.evidence.receipt('call-7');
  const [input, output] = refsOfCall(receipt);
  // So that a restored copy exists.
  expect(await state.contents.get(input)).toBe('{"id":"call-7"}');
  expect(await state.contents.get(output)).toContain('call-7call-7');
  for (const hash of hashesOfCall(receipt)) {
    expect(await state.contents.shred(hash)).toHaveLength(1);
    expect(await state.contents.shred(hash)).toEqual([]);
  }
  for (const ref of [input, output]) expect(await state.contents.get(ref)).toBeUndefined();
  expect(await state.contents.get((await state.evidence.receipt('call-8'))?.started.input_ref ?? '')).toBe(
    '{"id":"call-8"}',
  );
  const everything = everythingStored();
  expect(everything).not.toContain('{"id":"call-7"');
  expect(everything).toContain('{"id":"call-8"}');
  // Stored again, it has another ref.
  const again = await state.contents.put('{"id":"call-7"}');
  expect(again.ref).not.toBe(input);
  expect(existsSync(join(home.inputs, 'restored'))).toBe(true);
});

test('a lost cache and a lost index are rebuilt from the archive', async () => {
  const state = await filled(ids);
  await state.archive?.(later);
  await state.close();
  rmSync(join(home.stateFolder, 'index'), {recursive: true, force: true});
  rmSync(join(home.inputs, 'restored'), {recursive: true, force: true});
  const again = await home.open();
  expect((await again.evidence.receipt('call-3'))?.finished?.result).toBe('success');
  await recordCall(again, 'after');
  await again.signed.checkpoint();
  expect((await home.verify()).status).toBe('verified');
});

/** All files of the state and of the archive. */
function everythingStored(): string {
  return readdirSync(home.root, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

type Found = Awaited<ReturnType<SignedState['evidence']['receipt']>>;

function refsOfCall(receipt: Found): readonly [string, string] {
  return [receipt?.started.input_ref ?? '', receipt?.finished?.output_ref ?? ''];
}

function hashesOfCall(receipt: Found): readonly string[] {
  return [receipt?.started.input_hash ?? '', receipt?.finished?.output_hash ?? ''];
}
