// Cosignatures over a log, counted as a third party does.
import {parseCheckpoint, noteText} from '@lumenflow/kernel/adapters';
import {generateKeyPairSync} from 'node:crypto';
import {cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {fileLogs} from '../signed-log/file-logs.ts';
import {salvageState} from '../salvage/salvage-state.ts';
import {openSignedState} from '../state/signed-state.fixture.ts';
import {CosignedNotes} from '../witness/cosigned-notes.ts';
import {parseWitnessKey, witnessKeyOf, type WitnessKey} from '../witness/witness-key.ts';
import {WitnessReports, type WitnessProblemKind} from '../witness/witness-reports.ts';
import {missingCosigners} from './missing-cosigners.ts';
import {verifyEvidence} from './verify-evidence.ts';

const newWitness = (name: string): WitnessKey => witnessKeyOf(name, generateKeyPairSync('ed25519').privateKey);
const [one, two, stranger] = [newWitness('one'), newWitness('two'), newWitness('one')];
const keys = [one.verifierKey, two.verifierKey];
const idOf = ({verifierKey}: WitnessKey): string => parseWitnessKey(verifierKey)?.id ?? '';

let template: string;
let root: string;
let stateFolder: string;

async function appendTo(folder: string, calls: readonly string[]): Promise<void> {
  const state = await openSignedState({
    stateFolder: join(folder, 'kernel'),
    keyFolder: join(template, 'keys'),
    processes: createProcessRegistry(),
    durability: 'process',
  });
  for (const id of calls) {
    await state.evidence.append([startedRecord(id), finishedRecord(id)], {fsync: false});
    await state.signed.checkpoint();
  }
  await state.close();
}

beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), 'lumenflow-cosigned-'));
  await appendTo(template, ['a', 'b']);
});
afterAll(() => rmSync(template, {recursive: true}));
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-witnessed-'));
  stateFolder = join(root, 'kernel');
  cpSync(join(template, 'kernel'), stateFolder, {recursive: true});
});
afterEach(() => rmSync(root, {recursive: true}));

/** As a submission stores it. */
async function cosign(witness: WitnessKey, size: number, from = stateFolder): Promise<string> {
  const note = (await fileLogs(from).traces.checkpoints.read(size)) ?? '';
  const complete = `${note}${witness.cosign(noteText(note) ?? '', 1_700_000_000)}`;
  await new CosignedNotes(stateFolder, 'traces').keep(size, idOf(witness), complete);
  return complete;
}

async function verify(required?: number, keptNotes: readonly string[] = []) {
  const options = {keyFolder: join(template, 'keys'), witnesses: {keys, required}, keptNotes};
  return await verifyEvidence(stateFolder, options);
}

test('the newest checkpoint needs as many cosignatures as required, by default all', async () => {
  expect(await verify()).toMatchObject({status: 'unwitnessed', witnessed_records: 0});
  await cosign(one, 4);
  expect(await verify()).toMatchObject({status: 'unwitnessed', witnessed_records: 0});
  expect(await verify(1)).toMatchObject({status: 'verified', witnessed_records: 4});
  await cosign(two, 2);
  expect(await verify()).toMatchObject({
    status: 'unwitnessed',
    witnessed_records: 2,
    findings: [expect.stringMatching(/1 of 2 required witnesses .*, over 4 lines; 2 cosigned the first 2$/u)],
  });
  await cosign(two, 4);
  expect(await verify()).toMatchObject({
    status: 'verified',
    witnesses: [
      {name: 'one', records: 4, cosigned_at: '2023-11-14T22:13:20.000Z'},
      {name: 'two', records: 4},
    ],
  });
});

test('a witness that is not required does not count, whatever its name', async () => {
  await cosign(stranger, 4);
  expect(await verify(1)).toMatchObject({status: 'unwitnessed'});
  const [path] = new CosignedNotes(stateFolder, 'traces').list().map((note) => note.path);
  renameSync(path ?? '', (path ?? '').replace(idOf(stranger), idOf(one)));
  expect(await verify(1)).toMatchObject({status: 'tampered'});
});

test('a cosignature that was changed, or is over another size, is tampered', async () => {
  await cosign(one, 4);
  const [note] = new CosignedNotes(stateFolder, 'traces').list();
  const text = readFileSync(note?.path ?? '', 'utf8');
  for (const changed of [text.replace('\n4\n', '\n5\n'), text.slice(0, -4), '']) {
    writeFileSync(note?.path ?? '', changed);
    expect(await verify(1)).toMatchObject({status: 'tampered'});
  }
  writeFileSync(note?.path ?? '', text);
  renameSync(note?.path ?? '', (note?.path ?? '').replace('04.', '02.'));
  expect(await verify(1)).toMatchObject({status: 'tampered'});
});

test('a log that was rewritten by its own key contradicts what was cosigned, stored or kept elsewhere', async () => {
  const kept = await cosign(one, 4);
  await cosign(two, 4);
  for (const part of ['events', 'evidence/traces', 'evidence/tree', 'evidence/inputs', 'index']) {
    rmSync(join(stateFolder, part), {recursive: true, force: true});
  }
  await appendTo(root, ['x', 'y']);
  expect(parseCheckpoint(noteText(kept) ?? '')?.size).toBe(4);
  const report = await verify();
  expect(report).toMatchObject({status: 'tampered'});
  expect(report.findings[0]).toContain('signs another root over the first 4 lines');
  rmSync(join(stateFolder, 'evidence', 'cosigned'), {recursive: true});
  expect(await verify()).toMatchObject({status: 'unwitnessed'});
  expect(await verify(1, [kept])).toMatchObject({status: 'tampered'});
});

test.each<[WitnessProblemKind, string]>([
  ['rewritten', 'tampered'],
  ['rolled_back', 'truncated'],
  ['rejected', 'unwitnessed'],
  ['unreachable', 'verified'],
])('a witness that reported %s makes the log %s, whatever others cosigned', async (kind, status) => {
  await cosign(two, 4);
  const problem = {kind, message: 'it saw another log', since: '2026-11-26T12:00:00.000Z'};
  new WitnessReports(stateFolder, 'traces').write(idOf(one), {at: problem.since, cosigned: 0, problem});
  const report = await verify(1);
  expect(report.status).toBe(status);
  expect(report.findings.some((text) => text.includes('it saw another log'))).toBe(kind !== 'unreachable');
});

test('a salvage puts aside what was cosigned over lost lines', async () => {
  await cosign(one, 4);
  await cosign(one, 2);
  const traces = join(stateFolder, 'evidence', 'traces');
  const segment = join(traces, readdirSync(traces).at(-1) ?? '');
  writeFileSync(segment, readFileSync(segment, 'utf8').split('\n').slice(0, 3).join('\n'));
  const order = {by: 'ann', at: '2026-11-26T12:00:00.000Z', reason: 'a disk failed'};
  await salvageState({stateFolder, processes: createProcessRegistry(), order});
  expect(new CosignedNotes(stateFolder, 'traces').list().map(({size}) => size)).toEqual([2]);
});

test('one checkpoint has the cosignatures that are missing from it named', async () => {
  const note = await cosign(one, 4);
  expect(missingCosigners(note, {keys: [one.verifierKey]})).toBeUndefined();
  expect(missingCosigners(note, {keys, required: 1})).toBeUndefined();
  expect(missingCosigners(note, {keys})).toBe('1 of 2, and none by two');
});
