// Trees that a call made reach the workspace by one rename, and are undone like everything else.
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {applyChanges} from './apply-changes.ts';
import type {Change} from './change.ts';
import {ChangedConcurrently} from './changed-concurrently.ts';
import {lookAtOnce} from './entry.ts';
import {hashFile} from './hash-file.ts';
import {hasJournal, readJournal} from './journal.ts';
import {moveTreeBack} from './move-tree-back.ts';
import {stageChanges, type StagedChanges} from './stage-changes.ts';
import {undoSteps} from './undo-steps.ts';

let base: string;
let root: string;
let up: string;
let folder: string;
const seal = {key: Buffer.alloc(32, 1), id: 'one', root: '1:1'};

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'trees-')));
  [root, up, folder] = ['root', 'up', 'folder'].map((name) => join(base, name)) as [string, string, string];
  for (const path of [root, folder, join(up, 'new/tree/deep')]) mkdirSync(path, {recursive: true});
  for (let index = 0; index < 6; index += 1) writeFileSync(join(up, 'new/tree', `${index}`), `content ${index}`);
  writeFileSync(join(up, 'new/tree/deep/file'), 'deep');
  symlinkSync('deep/file', join(up, 'new/tree/link'));
  writeFileSync(join(up, 'new/small'), 'small');
});
afterEach(() => rmSync(base, {recursive: true, force: true}));

/** Everything in the upper layer, as made by the call. */
function changesIn(directory = ''): readonly Change[] {
  const changes = readdirSync(join(up, directory)).flatMap((name): readonly Change[] => {
    const path = join(directory, name);
    const source = join(up, path);
    const after = lookAtOnce(source);
    if (after === undefined) throw new Error(path);
    const change: Change = {path, kind: 'created', after, source, isMade: true};
    return after.kind === 'directory' ? [change, ...changesIn(path)] : [change];
  });
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

interface Prepared extends StagedChanges {
  readonly changes: readonly Change[];
}

async function prepare(changes = changesIn()): Promise<Prepared> {
  const hashes = new Map<string, string>();
  for (const {path, after, source = ''} of changes)
    if (after?.kind === 'file') hashes.set(path, await hashFile(source));
  return {changes, ...(await stageChanges({changes, root, view: up, folder, hashes}))};
}

const apply = async (prepared: Prepared): Promise<void> => await applyChanges({...prepared, root, folder, seal});

test('a tree is moved with its inodes, its siblings are moved separately', async () => {
  const before = ['tree', 'tree/0', 'tree/deep/file', 'tree/link'].map((path) => lstatSync(join(up, 'new', path)).ino);
  const prepared = await prepare();
  expect([...prepared.trees.roots.keys()]).toEqual(['new/tree']);
  await apply(prepared);
  const after = ['tree', 'tree/0', 'tree/deep/file', 'tree/link'].map((path) => lstatSync(join(root, 'new', path)).ino);
  expect(after).toEqual(before);
  expect(existsSync(join(up, 'new/tree'))).toBe(false);
  expect(readFileSync(join(root, 'new/small'), 'utf8')).toBe('small');
  expect(await hasJournal(folder)).toBe(false);
});

/** As the search for changes does, so that a host of an ordinary user can inspect what a call has locked. */
function unlock(path: string): void {
  const {mode} = lstatSync(path);
  chmodSync(path, mode | 0o700);
}

test.each<[string, (path: string) => void, ((change: Change) => Change)?]>([
  ['a file has another name', (path) => linkSync(join(path, '0'), join(up, 'other'))],
  ['a file cannot be read', (path) => chmodSync(join(path, '0'), 0o200)],
  ['a directory is locked', (path) => chmodSync(join(path, 'deep'), 0o500)],
  [
    'a file was copied up',
    () => undefined,
    (change) => (change.path.endsWith('/3') ? {...change, isMade: false} : change),
  ],
])('nothing is moved as a whole when %s', async (_, make, turned) => {
  make(join(up, 'new/tree'));
  const changes = changesIn().map(turned ?? ((change) => change));
  for (const name of ['0', 'deep']) unlock(join(up, 'new/tree', name));
  const prepared = await prepare(changes);
  expect(prepared.trees.roots.size).toBe(0);
  await apply(prepared);
  expect(readFileSync(join(root, 'new/tree/deep/file'), 'utf8')).toBe('deep');
  unlock(join(root, 'new/tree/deep'));
});

test('a tree moves back when a later step fails', async () => {
  writeFileSync(join(up, 'z'), 'mine');
  const prepared = await prepare();
  writeFileSync(join(root, 'z'), 'theirs');
  await expect(apply(prepared)).rejects.toThrow(ChangedConcurrently);
  expect(readdirSync(root)).toEqual(['z']);
  expect(readFileSync(join(up, 'new/tree/deep/file'), 'utf8')).toBe('deep');
  expect(await hasJournal(folder)).toBe(false);
});

test('a tree that has changed since it was found is not moved', async () => {
  const changes = changesIn();
  appendFileSync(join(up, 'new/tree/deep/file'), ' of somebody else');
  await expect(prepare(changes)).rejects.toThrow(ChangedConcurrently);
});

test.each<[string, (tree: string) => void]>([
  ['edited a file', (tree) => appendFileSync(join(tree, '0'), ' by them')],
  ['made a file', (tree) => writeFileSync(join(tree, 'theirs'), 'by them')],
])('a tree in which somebody has %s stays, and what is left of it is theirs', async (_, work) => {
  const {steps} = await prepare();
  const tree = join(root, 'new/tree');
  mkdirSync(join(root, 'new'));
  const step = steps.find(({path}) => path === 'new/tree');
  if (step === undefined) throw new Error('there is no step for the tree');
  const inside = new Map(steps.flatMap((one) => (one.path.startsWith('new/tree/') ? [[one.path, one]] : [])));
  const source = join(up, 'new/tree');
  const back = (): boolean => moveTreeBack({root, source, step, inside});
  renameSync(source, tree);
  work(tree);
  expect(back()).toBe(false);
  const left = await undoSteps({root, folder, steps: [step, ...inside.values()]});
  expect(left.map(({path}) => path)).toContain('new/tree');
  expect(readdirSync(tree)).toHaveLength(1);
});

test('a tree that a dead host moved is moved back by its journal', async () => {
  const prepared = await prepare();
  // The power goes when everything is in the workspace.
  const journal = join(folder, 'journal');
  await applyChanges({...prepared, root, folder, seal, sources: [folder]}).catch(() => undefined);
  expect(existsSync(journal)).toBe(true);
  const found = await readJournal(folder, async () => seal);
  if (found.kind !== 'steps') throw new Error(found.kind);
  expect(existsSync(join(root, 'new/tree/link'))).toBe(true);
  expect(await undoSteps({root, folder, steps: found.steps})).toEqual([]);
  expect(readdirSync(root)).toEqual([]);
});
