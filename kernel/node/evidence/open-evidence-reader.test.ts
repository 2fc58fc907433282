// Evidence read without any right to write: as an ordinary user, on files of another.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createHash} from 'node:crypto';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {claimEvent} from '../state/claim-event.fixture.ts';
import {openSignedState} from '../state/signed-state.fixture.ts';
import {exportBundle} from './export-bundle.ts';
import {openEvidenceReader} from './open-evidence-reader.ts';

let root: string;
let stateFolder: string;
let keyFolder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-readers-'));
  stateFolder = join(root, 'kernel');
  keyFolder = join(root, 'keys');
});
afterEach(() => rmSync(root, {recursive: true}));

/** Two calls and an event, signed; then a call that is not. Returns the reference of an input. */
async function recordAll(): Promise<string> {
  const state = await openSignedState({stateFolder, keyFolder, processes: createProcessRegistry()});
  const {ref, hash} = await state.contents.put('{"secret":1}');
  await state.evidence.append([startedRecord('r1', {input_ref: ref, input_hash: hash}), finishedRecord('r1')], {
    fsync: false,
  });
  await state.events.transact(() => ({events: [claimEvent('t1', 's')], result: undefined}));
  await state.evidence.append([startedRecord('r2')], {fsync: false});
  await state.close();
  return ref;
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .map((name) => `${name} ${lstatSync(join(folder, name), {bigint: true}).mtimeNs}`)
    .toSorted();
}

test('everything is read, and nothing is written', async () => {
  const ref = await recordAll();
  rmSync(join(stateFolder, 'index'), {recursive: true});
  const before = filesOf(stateFolder);
  const reader = openEvidenceReader(stateFolder);
  const {receipts} = await reader.evidence.readTraces();
  expect(receipts.map(({receipt_id, finished}) => [receipt_id, finished?.result])).toEqual([
    ['r2', undefined],
    ['r1', 'success'],
  ]);
  expect((await reader.evidence.receipt('r1'))?.started.input_ref).toBe(ref);
  expect(await reader.evidence.receipt('none')).toBeUndefined();
  expect(await reader.evidence.readBlob(ref)).toBe('{"secret":1}');
  const lines: string[] = [];
  for await (const line of reader.evidence.export()) lines.push(line);
  expect(lines).toHaveLength(3);
  expect(await reader.events.read({types: ['task_claimed']})).toHaveLength(1);
  expect(await reader.events.read({types: ['task_created']})).toEqual([]);
  reader.close();
  expect(filesOf(stateFolder)).toEqual(before);
});

test('a line that is being written is ignored', async () => {
  await recordAll();
  const traces = join(stateFolder, 'evidence', 'traces');
  const path = join(traces, readdirSync(traces)[0] ?? '');
  writeFileSync(path, `${readFileSync(path, 'utf8')}{"seq":4,"pr`);
  const reader = openEvidenceReader(stateFolder);
  expect((await reader.evidence.readTraces()).receipts).toHaveLength(2);
  reader.close();
});

test('a folder without evidence is reported', () => {
  expect(() => openEvidenceReader(root)).toThrow(/contains no evidence/u);
});

test('a bundle contains the logs as signed, the checkpoints, the keys and the contents by hash', async () => {
  await recordAll();
  chmodSync(stateFolder, 0o500);
  const bundle = join(root, 'bundle');
  expect(await exportBundle({stateFolder, keyFolder}, bundle)).toEqual({
    records: 3,
    events: 1,
    contents: 1,
    missing: 0,
  });
  chmodSync(stateFolder, 0o700);
  const names = readdirSync(bundle).toSorted();
  expect(names).toEqual([
    'contents',
    'events.checkpoint',
    'events.jsonl',
    'keys',
    'records.checkpoint',
    'records.jsonl',
  ]);
  const [content = ''] = readdirSync(join(bundle, 'contents'));
  const text = readFileSync(join(bundle, 'contents', content), 'utf8');
  expect(text).toBe('{"secret":1}');
  expect(createHash('sha256').update(text).digest('hex')).toBe(content);
  await expect(exportBundle({stateFolder, keyFolder}, bundle)).rejects.toThrow(/is not empty/u);
});

test('a bundle is not written through a link that waits in its folder', async () => {
  await recordAll();
  const [bundle, elsewhere] = [join(root, 'bundle'), join(root, 'elsewhere')];
  mkdirSync(bundle);
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(bundle, 'contents'));
  await expect(exportBundle({stateFolder, keyFolder}, bundle)).rejects.toThrow(/is not empty/u);
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('a bundle of a log that is shorter than signed is refused', async () => {
  await recordAll();
  const traces = join(stateFolder, 'evidence', 'traces');
  const path = join(traces, readdirSync(traces)[0] ?? '');
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, `${lines.slice(0, 2).join('\n')}\n`);
  await expect(exportBundle({stateFolder, keyFolder}, join(root, 'bundle'))).rejects.toMatchObject({
    code: 'LOG_CORRUPT',
  });
});
