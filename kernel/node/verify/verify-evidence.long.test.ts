import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {VerifyReport} from '@lumenflow/kernel';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {readVerifierKeys} from '../signed-log/note-key.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import {finishedRecord, progressRecord, startedRecord} from '../conformance/example-records.ts';
import {claimEvent} from '../state/claim-event.fixture.ts';
import {openSignedState, type SignedState, type SignedStateOptions} from '../state/signed-state.fixture.ts';
import {verifyEvidence, type VerifyOptions} from './verify-evidence.ts';

let root: string;
let original: string;
let small: string;
let copy: string;
let keys: readonly string[];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-verify-'));
  original = join(root, 'original');
  copy = join(root, 'copy');
  const state = await open(original, {rotateBytes: 2_000});
  await recordTask(state);
  for (let call = 1; call <= 3; call += 1) await recordCall(state, `r${call}`);
  await state.signed.checkpoint();
  for (let call = 4; call <= 5; call += 1) await recordCall(state, `r${call}`);
  await state.close();
  small = join(root, 'small');
  const tiny = await open(small, {rotateBytes: 500});
  await recordTask(tiny);
  await recordCall(tiny, 'r2');
  await tiny.close();
  keys = readVerifierKeys(join(root, 'keys'));
});
afterAll(() => rmSync(root, {recursive: true}));
beforeEach(() => {
  rmSync(copy, {recursive: true, force: true});
  cpSync(original, copy, {recursive: true, verbatimSymlinks: true});
});

function open(stateFolder: string, options: Partial<SignedStateOptions> = {}): Promise<SignedState> {
  return openSignedState({stateFolder, keyFolder: join(root, 'keys'), processes: createProcessRegistry(), ...options});
}

async function recordTask(state: SignedState): Promise<void> {
  const created = await state.tasks.create({id: 'task-1', lane_id: 'core'});
  if (created === 'exists') return expect.fail('the task is there already');
  const amended = await state.tasks.amend({id: 'task-1', lane_id: 'core', title: 'Another'});
  const event = {timestamp: '2026-01-02T03:04:05.678Z', actor: 'someone', task_id: 'task-1'};
  await state.events.transact(() => ({
    events: [
      {type: 'task_created', ...event, lane_id: 'core', ...created},
      {type: 'task_amended', ...event, ...amended},
      claimEvent('task-1', 's'),
    ],
    result: 0,
  }));
}

async function recordCall(state: SignedState, id: string): Promise<void> {
  const input = await state.contents.put(`{"call":"${id}"}`);
  await state.evidence.append([startedRecord(id, {input_hash: input.hash, input_ref: input.ref})], {fsync: false});
  const large = id === 'r2' ? 'x'.repeat(70_000) : `"${id}"`;
  const [output, log] = [await state.contents.put(large), await state.contents.put(`log of ${id}`)];
  const refs = {output_hash: output.hash, output_ref: output.ref, log_hash: log.hash, log_ref: log.ref};
  await state.evidence.append([progressRecord(id, 1, {}), finishedRecord(id, refs)], {fsync: false});
}

function verify(options: VerifyOptions = {verifierKeys: keys}): Promise<VerifyReport> {
  return verifyEvidence(copy, options);
}

function filesOf(folder: string): readonly string[] {
  const names = readdirSync(join(copy, folder), {recursive: true, encoding: 'utf8'});
  return names.map((name) => join(copy, folder, name)).filter((path) => lstatSync(path).isFile());
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

const segments = (): readonly string[] => filesOf('evidence/traces').toSorted((a, b) => a.localeCompare(b));

/** As if nothing had been signed since the first checkpoint. */
function dropNewestCheckpoints(): void {
  for (const name of ['traces', 'events']) {
    const notes = filesOf(`evidence/tree/${name}`).toSorted((a, b) => a.localeCompare(b));
    for (const path of notes.slice(1)) rmSync(path);
  }
}

describe('a sound log', () => {
  test('is verified, and the report says over what', async () => {
    expect(segments().length).toBeGreaterThan(2);
    const report = await verify();
    expect(report).toMatchObject({status: 'verified', records: 15, blobs: 15, signed_records: 15, findings: []});
    expect(report.root).toMatch(/^[0-9a-f]{64}$/u);
    expect(report.verifier_key).toBe(keys[0]);
  });

  test('is verified with the key in the key folder', async () => {
    expect((await verify({keyFolder: join(root, 'keys')})).status).toBe('verified');
  });

  test('without records there is nothing to verify', async () => {
    const report = await verifyEvidence(join(root, 'nowhere'), {});
    expect(report).toMatchObject({status: 'empty', records: 0, findings: []});
    expect(report.root).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  test('does not change by being verified', async () => {
    const before = filesOf('').map((path) => `${path} ${statSync(path).mtimeMs}`);
    await verify();
    expect(filesOf('').map((path) => `${path} ${statSync(path).mtimeMs}`)).toEqual(before);
  });
});

describe('a flipped bit', () => {
  beforeEach(() => {
    rmSync(copy, {recursive: true});
    cpSync(small, copy, {recursive: true, verbatimSymlinks: true});
  });
  const covered = ['evidence/traces', 'evidence/inputs', 'evidence/tree', 'events', 'tasks'];

  test.each(covered)('in %s is found, wherever it is', async (folder) => {
    for (const path of filesOf(folder)) {
      const bytes = readFileSync(path);
      // Large files by sample, with both ends.
      const step = bytes.length > 10_000 ? 997 : 1;
      for (
        let at = 0;
        at < bytes.length;
        at = at === bytes.length - 1 ? bytes.length : Math.min(at + step, bytes.length - 1)
      ) {
        flip(path, at);
        const {status, findings} = await verify();
        expect({path, at, status}).not.toMatchObject({status: 'verified'});
        expect(['tampered', 'truncated', 'blob_missing']).toContain(status);
        expect(findings.length).toBeGreaterThan(0);
        writeFileSync(path, bytes);
      }
    }
    expect((await verify()).status).toBe('verified');
  });

  test('is reported with file and line', async () => {
    const [first = ''] = segments();
    flip(first, readFileSync(first).indexOf('r2'));
    const second = segments()[1] ?? '';
    expect((await verify()).findings[0]).toContain(`\`${second}\` line 1 does not continue the chain`);
  });
});

describe('a record', () => {
  test('that was rewritten together with all after it is found by the signature', async () => {
    const other = join(root, 'other');
    const state = await open(other);
    await recordTask(state);
    for (const id of ['r1', 'r2', 'forged', 'r4', 'r5']) await recordCall(state, id);
    await state.close();
    rmSync(join(copy, 'evidence', 'traces'), {recursive: true});
    cpSync(join(other, 'evidence', 'traces'), join(copy, 'evidence', 'traces'), {recursive: true});
    cpSync(join(other, 'evidence', 'inputs'), join(copy, 'evidence', 'inputs'), {recursive: true});
    const {status, findings} = await verify();
    expect(status).toBe('tampered');
    expect(findings.join()).toContain('signs another root');
    rmSync(other, {recursive: true});
  });

  test('that is chained and signed but fits no schema is found', async () => {
    rmSync(copy, {recursive: true});
    const state = await open(copy);
    await recordCall(state, 'r1');
    await state.close();
    const [path = ''] = segments();
    const text = readFileSync(path, 'utf8');
    const lines = text.trimEnd().split('\n');
    lines[2] = (lines[2] ?? '').replace('"success"', '"perhaps"');
    writeFileSync(path, `${lines.join('\n')}\n`);
    expect((await verify()).findings[0]).toContain('line 3 is not a valid record');
  });
});

describe('what is missing', () => {
  test('records that were signed: truncated', async () => {
    const last = segments().at(-1) ?? '';
    const text = readFileSync(last, 'utf8');
    truncateSync(last, text.lastIndexOf('\n', text.length - 2) + 1);
    const {status, findings} = await verify();
    expect(status).toBe('truncated');
    expect(findings.join()).toContain('has 14 sound lines, but a checkpoint was signed over 15');
  });

  test.each([0, 1, -1])('segment %d: truncated; the last one only where it was signed', async (index) => {
    rmSync(segments().at(index) ?? '');
    expect((await verify()).status).toBe('truncated');
    rmSync(join(copy, 'evidence', 'tree'), {recursive: true});
    expect((await verify()).status).toBe(index === -1 ? 'unsigned_tail' : 'truncated');
  });

  test('a segment that is empty: truncated', async () => {
    truncateSync(segments()[0] ?? '', 0);
    expect((await verify()).status).toBe('truncated');
  });

  test('all records, or all events: truncated', async () => {
    rmSync(join(copy, 'events'), {recursive: true});
    expect((await verify()).status).toBe('truncated');
    rmSync(join(copy, 'evidence', 'traces'), {recursive: true});
    expect((await verify()).findings).toHaveLength(2);
  });

  test('records rolled back together with their checkpoints: only a checkpoint kept elsewhere reveals it', async () => {
    const notes = filesOf('evidence/tree/traces').toSorted((a, b) => a.localeCompare(b));
    const kept = readFileSync(notes.at(-1) ?? '', 'utf8');
    expect((await verify({verifierKeys: keys, keptNotes: [kept]})).status).toBe('verified');
    dropNewestCheckpoints();
    for (const path of segments()) if (readFileSync(path, 'utf8').includes('"r4"')) rmSync(path);
    expect(['verified', 'unsigned_tail', 'truncated']).toContain((await verify()).status);
    const report = await verify({verifierKeys: keys, keptNotes: [kept]});
    expect(report.status).toBe('truncated');
    const forged = await verify({verifierKeys: keys, keptNotes: [kept.replace('\n15\n', '\n14\n')]});
    expect(forged.findings).toContain('kept checkpoint 1 is not signed by a known key');
  });

  test('a blob: blob_missing', async () => {
    const large = filesOf('evidence/inputs').find((path) => /[0-9a-f]{64}$/u.test(path)) ?? '';
    rmSync(large);
    const {status, findings} = await verify();
    expect(status).toBe('blob_missing');
    expect(findings[0]).toMatch(/line [0-9]+ refers to `inputs\/[0-9a-f]{64}`, which is missing/u);
    for (const path of filesOf('evidence/inputs')) rmSync(path);
    expect((await verify()).findings).toHaveLength(15);
  });

  test('the end of a pack: blob_missing', async () => {
    const pack = filesOf('evidence/inputs').find((path) => path.includes('pack-')) ?? '';
    truncateSync(pack, statSync(pack).size - 1);
    expect((await verify()).status).toBe('blob_missing');
  });

  test('a task spec: truncated', async () => {
    rmSync(join(copy, 'tasks', 'task-1.yaml'));
    expect(await verify()).toMatchObject({status: 'truncated', findings: [expect.stringContaining('task-1.yaml')]});
  });
});

describe('what is not signed', () => {
  test('records behind the newest checkpoint: unsigned_tail', async () => {
    dropNewestCheckpoints();
    const report = await verify();
    expect(report).toMatchObject({status: 'unsigned_tail', records: 15, signed_records: 9});
    expect(report.findings).toEqual([expect.stringContaining('6 of 15 lines are behind the newest signed checkpoint')]);
  });

  test('a torn end: unsigned_tail', async () => {
    const last = segments().at(-1) ?? '';
    writeFileSync(last, '{"seq":16,', {flag: 'a'});
    expect(await verify()).toMatchObject({status: 'unsigned_tail', findings: [expect.stringContaining('is torn')]});
  });

  test('without a key nothing can be said to be signed; with a wrong one it is tampered', async () => {
    expect((await verify({})).status).toBe('unsigned_tail');
    const state = await openSignedState({
      stateFolder: join(root, 'stranger'),
      keyFolder: join(root, 'strange-keys'),
      processes: createProcessRegistry(),
    });
    await state.close();
    expect((await verify({keyFolder: join(root, 'strange-keys')})).status).toBe('tampered');
  });
});

test('a log that an open runtime continues is verified, too', async () => {
  const state = await open(copy);
  try {
    await recordCall(state, 'r6');
    expect((await verify()).status).toBe('unsigned_tail');
    await state.signed.checkpoint();
    expect(await verify()).toMatchObject({status: 'verified', records: 18});
    expect(existsSync(join(copy, 'lock'))).toBe(true);
  } finally {
    await state.close();
  }
});
