// One changed byte in each file that archiving leaves: none of them may hide a content, a change, or the log.
import {appendFileSync, cpSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {openEvidenceReader} from '../evidence/open-evidence-reader.ts';
import type {SignedState} from '../state/signed-state.fixture.ts';
import {createArchivedHome, later, recordCall, type ArchivedHome} from './archived-state.fixture.ts';

let home: ArchivedHome;
beforeEach(() => (home = createArchivedHome()));
afterEach(() => home.remove());

const tracesFolder = (): string => join(home.stateFolder, 'evidence', 'traces');

async function archived(): Promise<SignedState> {
  const state = await home.open({rotateBytes: 1_500, durability: 'process'});
  for (const id of ['call-1', 'call-2', 'call-3']) await recordCall(state, id);
  await state.signed.checkpoint();
  await state.archive?.(later);
  await state.signed.checkpoint();
  return state;
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at < 0 ? bytes.length + at : at]! ^= 1;
  writeFileSync(path, bytes);
}

async function exported(): Promise<readonly string[]> {
  const reader = openEvidenceReader(home.stateFolder, home.store);
  try {
    const lines: string[] = [];
    for await (const line of reader.evidence.export({})) lines.push(line);
    return lines;
  } finally {
    reader.close();
  }
}

const damages: readonly (readonly [string, (path: string) => void])[] = [
  ['empty', (path) => truncateSync(path)],
  ['cut', (path) => truncateSync(path, readFileSync(path).length - 8)],
  ['changed', (path) => flip(path, 2)],
  ['too long', (path) => appendFileSync(path, '12345678')],
];

test.each(damages)('a redaction reaches contents whose list of hashes is %s', async (_, damage) => {
  const state = await archived();
  const folder = join(home.inputs, 'archived');
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.hashes'))) damage(join(folder, name));
  const hash = (await state.evidence.receipt('call-2'))?.started.input_hash ?? '';
  expect(await state.contents.shred(hash)).toHaveLength(1);
});

test('an archive that does not delete is reported, and repeating deletes', async () => {
  const state = await archived();
  await state.close();
  const hash = (await state.evidence.receipt('call-2'))?.started.input_hash ?? '';
  const lying = await home.open({archive: {...home.store, delete: () => Promise.resolve()}});
  const message = expect.stringMatching(/still contains `contents\/pack-/u);
  for (let attempt = 0; attempt < 2; attempt += 1)
    await expect(lying.contents.shred(hash)).rejects.toMatchObject({code: 'LOG_UNAVAILABLE', message});
  await lying.close();
  const before = (await home.store.list('contents/')).length;
  await (await home.open()).contents.shred(hash);
  expect(await home.store.list('contents/')).toHaveLength(before - 1);
});

test('verification reads the archive, and not the copies of it', async () => {
  await archived();
  expect((await home.verify()).status).toBe('verified');
  const [key = ''] = await home.store.list('traces/');
  flip(join(home.root, 'archive', key), 40);
  expect((await home.verify()).status).toBe('tampered');
  flip(join(home.root, 'archive', key), 40);
  for (const content of await home.store.list('contents/')) {
    flip(join(home.root, 'archive', content), -5);
    expect((await home.verify()).status).toBe('tampered');
    flip(join(home.root, 'archive', content), -5);
  }
});

const archiveOf = ({root}: ArchivedHome): string => join(root, 'archive');

async function archiveMore(state: SignedState): Promise<void> {
  await recordCall(state, 'call-4');
  await state.signed.checkpoint();
  // The index then has it, so that later calls are found without the archive.
  await state.evidence.receipt('call-4');
  await state.archive?.(later);
  await state.signed.checkpoint();
}

const replacements: readonly (readonly [string, (other: ArchivedHome) => void])[] = [
  ['the archive of another workspace', (other) => cpSync(archiveOf(other), archiveOf(home), {recursive: true})],
  ['an older copy', () => cpSync(join(home.root, 'older'), archiveOf(home), {recursive: true})],
  [
    'a cut file',
    () => {
      cpSync(join(home.root, 'right'), archiveOf(home), {recursive: true});
      const path = join(archiveOf(home), 'traces', readdirSync(join(archiveOf(home), 'traces')).at(-1) ?? '');
      truncateSync(path, readFileSync(path).length - 8);
    },
  ],
];

test.each(replacements)('instead of the archive, %s is reported, and new calls continue', async (_, replace) => {
  const state = await archived();
  cpSync(archiveOf(home), join(home.root, 'older'), {recursive: true});
  await archiveMore(state);
  const right = (await home.verify()).root;
  const other = createArchivedHome();
  try {
    const theirs = await other.open({rotateBytes: 1_500, durability: 'process'});
    await recordCall(theirs, 'call-1');
    await theirs.signed.checkpoint();
    await theirs.archive?.(later);
    renameSync(archiveOf(home), join(home.root, 'right'));
    replace(other);
    const {status, findings} = await home.verify();
    expect(status).toBe('tampered');
    expect(findings[0]).toMatch(/does not contain `traces\/|contains another `traces\//u);
    await recordCall(state, 'after');
    expect((await state.evidence.receipt('after'))?.finished?.result).toBe('success');
    await state.signed.checkpoint();
    expect((await state.archive?.(later))?.segments).not.toEqual([]);
    // With its own archive back, and what was archived in the meantime, nothing is lost.
    cpSync(join(home.root, 'right'), archiveOf(home), {recursive: true});
    await state.signed.checkpoint();
    const {findings: none, root, records} = await home.verify();
    expect({none, records}).toEqual({none: [], records: 10});
    expect(root).not.toBe(right);
  } finally {
    await other.remove();
  }
});

const noteFolders: readonly (readonly [string, () => string])[] = [
  ['a segment', () => join(tracesFolder(), 'archived')],
  ['contents', () => join(home.inputs, 'archived')],
];

test.each(noteFolders)('verification reports a damaged note of %s as tampered', async (_, folderOf) => {
  await archived();
  const [name = ''] = readdirSync(folderOf()).filter((each) => each.endsWith('.json'));
  const path = join(folderOf(), name);
  const bytes = readFileSync(path);
  for (const damage of [() => flip(path, 12), () => truncateSync(path), () => truncateSync(path, 20)]) {
    damage();
    const {status, findings} = await home.verify();
    expect(status).toBe('tampered');
    expect(findings.join('\n')).toContain(`cannot be read: \`${path}\` is not a note of an archived file`);
    writeFileSync(path, bytes);
  }
  expect((await home.verify()).status).toBe('verified');
});

test('a restored copy that is damaged is restored again', async () => {
  await archived();
  const lines = await exported();
  const restored = join(tracesFolder(), 'restored');
  const damage = (): void => readdirSync(restored).forEach((name) => flip(join(restored, name), 40));
  damage();
  expect((await home.verify()).status).toBe('verified');
  damage();
  expect(await exported()).toEqual(lines);
  const again = await home.open({rotateBytes: 1_500});
  damage();
  expect((await again.evidence.receipt('call-1'))?.finished?.result).toBe('success');
  await recordCall(again, 'after');
  await again.signed.checkpoint();
  expect((await home.verify()).status).toBe('verified');
});

test('a note that changed is reported before anything is appended after it', async () => {
  const state = await archived();
  await state.close();
  const folder = join(tracesFolder(), 'archived');
  const path = join(folder, readdirSync(folder).at(-1) ?? '');
  const text = readFileSync(path, 'utf8');
  const wrong = text.replace(/"head":"(.)/u, (_, digit: string) => `"head":"${digit === '0' ? '1' : '0'}`);
  for (const changed of [wrong, text.replace('"check"', '"chesk"'), text.slice(0, -5), 'null\n', '']) {
    writeFileSync(path, changed);
    await expect(home.open()).rejects.toMatchObject({
      code: 'LOG_CORRUPT',
      message: expect.stringContaining('is not a note of an archived file'),
    });
  }
  writeFileSync(path, text);
  expect((await home.verify()).status).toBe('verified');
});
