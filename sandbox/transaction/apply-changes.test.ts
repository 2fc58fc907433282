import {execFileSync} from 'node:child_process';
import {
  appendFileSync,
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
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {AppliedInPart} from './applied-in-part.ts';
import {applyChanges} from './apply-changes.ts';
import {ChangedConcurrently} from './changed-concurrently.ts';
import {asCopied} from './as-copied.fixture.ts';
import type {Change} from './change.ts';
import {commitOf} from './commit.ts';
import {findChanges} from './find-changes.ts';
import {hasJournal} from './journal.ts';
import {stageChanges, type StagedChanges} from './stage-changes.ts';
import {undoSteps} from './undo-steps.ts';
import {valueOf} from '../testing/value-of.fixture.ts';

// The view is a copy here, which has all that the workspace has.
let base: string;
let root: string;
let view: string;
let folder: string;
const seal = {key: Buffer.alloc(32, 1), id: 'one', root: '1:1'};

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'apply-')));
  [root, view, folder] = ['root', 'view', 'folder'].map((name) => join(base, name)) as [string, string, string];
  for (const tree of [root, view]) {
    mkdirSync(join(tree, 'a/b'), {recursive: true});
    writeFileSync(join(tree, 'a/b/file'), 'old');
    writeFileSync(join(tree, 'z'), 'old');
  }
  mkdirSync(folder);
});
afterEach(() => rmSync(base, {recursive: true, force: true}));

interface Prepared extends StagedChanges {
  readonly changes: readonly Change[];
}

async function prepare(): Promise<Prepared> {
  const found = valueOf(await findChanges({root, view, touched: view, changesMax: 100, copied: asCopied(root)}));
  const {changes} = found;
  // Both were written in turn, so that times differ where contents do not.
  const real = changes.filter(({before, after}) => before?.size !== after?.size);
  return {changes: real, ...(await stageChanges({changes: real, root, view, folder}))};
}

const apply = async ({changes, steps}: Prepared): Promise<void> =>
  await applyChanges({root, folder, seal, steps, changes});

test('a parent directory that becomes a symlink is not followed, and applied changes are undone', async () => {
  writeFileSync(join(view, 'a/b/file'), 'newer');
  writeFileSync(join(view, 'a/first'), 'new');
  const prepared = await prepare();
  mkdirSync(join(base, 'elsewhere'));
  writeFileSync(join(base, 'elsewhere/file'), 'old');
  renameSync(join(root, 'a/b'), join(base, 'moved'));
  symlinkSync(join(base, 'elsewhere'), join(root, 'a/b'));
  await expect(apply(prepared)).rejects.toThrow(ChangedConcurrently);
  expect(readFileSync(join(base, 'elsewhere/file'), 'utf8')).toBe('old');
  expect(readFileSync(join(base, 'moved/file'), 'utf8')).toBe('old');
  expect(existsSync(join(root, 'a/first'))).toBe(false);
  expect(await hasJournal(folder)).toBe(false);
});

test.each([
  ['replaced', () => writeFileSync(join(root, 'z'), 'theirs'), 'theirs'],
  ['removed', () => rmSync(join(root, 'z')), undefined],
  [
    'replaced by a symlink',
    () => {
      rmSync(join(root, 'z'));
      symlinkSync('a/b/file', join(root, 'z'));
    },
    'old',
  ],
])('a file that is %s after the last look is left so, and the rest is taken back', async (_how, change, expected) => {
  writeFileSync(join(view, 'z'), 'newer');
  writeFileSync(join(view, 'a/b/file'), 'newer');
  const prepared = await prepare();
  change();
  await expect(apply(prepared)).rejects.toThrow(ChangedConcurrently);
  expect(existsSync(join(root, 'z')) ? readFileSync(join(root, 'z'), 'utf8') : undefined).toBe(expected);
  expect(readFileSync(join(root, 'a/b/file'), 'utf8')).toBe('old');
});

test('a file that appears where the call creates one is left alone', async () => {
  writeFileSync(join(view, 'a/new'), 'mine');
  const prepared = await prepare();
  writeFileSync(join(root, 'a/new'), 'theirs');
  await expect(apply(prepared)).rejects.toThrow(ChangedConcurrently);
  expect(readFileSync(join(root, 'a/new'), 'utf8')).toBe('theirs');
});

test('a directory that gets a file before its removal stays', async () => {
  rmSync(join(view, 'a'), {recursive: true});
  const prepared = await prepare();
  writeFileSync(join(root, 'a/b/theirs'), 'theirs');
  await expect(apply(prepared)).rejects.toThrow(ChangedConcurrently);
  expect(readdirSync(join(root, 'a/b')).toSorted()).toEqual(['file', 'theirs']);
});

test('if the last check rejects, no step has run and nothing is left to recover', async () => {
  writeFileSync(join(view, 'z'), 'newer');
  const {changes, steps} = await prepare();
  const check = async (): Promise<never> => {
    throw new ChangedConcurrently('z');
  };
  await expect(applyChanges({root, folder, seal, steps, changes, check})).rejects.toThrow(ChangedConcurrently);
  expect(readFileSync(join(root, 'z'), 'utf8')).toBe('old');
  expect(readdirSync(join(folder, 'old'))).toEqual([]);
  expect(await hasJournal(folder)).toBe(false);
});

test('undoing can stop at any step and start again', async () => {
  rmSync(join(view, 'a'), {recursive: true});
  writeFileSync(join(view, 'z'), 'newer');
  mkdirSync(join(view, 'y'));
  writeFileSync(join(view, 'y/new'), 'new');
  const {changes, steps} = await prepare();
  await applyChanges({root, folder, seal, steps, changes});
  expect(readdirSync(root).toSorted()).toEqual(['y', 'z']);
  // As if the process had died at each step in turn, and the process that undoes the steps too.
  for (let from = steps.length - 1; from >= 0; from--) await undoSteps({root, folder, steps: steps.slice(from)});
  expect(await undoSteps({root, folder, steps})).toEqual([]);
  expect(readdirSync(root).toSorted()).toEqual(['a', 'z']);
  expect(readFileSync(join(root, 'a/b/file'), 'utf8')).toBe('old');
  expect(readFileSync(join(root, 'z'), 'utf8')).toBe('old');
});

test('undoing leaves later changes by others alone, and reports them', async () => {
  writeFileSync(join(view, 'z'), 'newer');
  const {changes, steps} = await prepare();
  await applyChanges({root, folder, seal, steps, changes});
  rmSync(join(root, 'z'));
  writeFileSync(join(root, 'z'), 'theirs');
  expect(await undoSteps({root, folder, steps})).toMatchObject([{path: 'z'}]);
  expect(readFileSync(join(root, 'z'), 'utf8')).toBe('theirs');
});

test('a hard link elsewhere keeps its content', async () => {
  linkSync(join(root, 'z'), join(base, 'linked'));
  writeFileSync(join(view, 'z'), 'newer');
  await apply(await prepare());
  expect(readFileSync(join(base, 'linked'), 'utf8')).toBe('old');
});

test('once applied, a file has no name left that only the transaction knows', async () => {
  linkSync(join(root, 'z'), join(base, 'linked'));
  rmSync(join(view, 'z'));
  await apply(await prepare());
  expect(lstatSync(join(base, 'linked')).nlink).toBe(1);
});

test('a folder in place of a symlink is undone even before its own step', async () => {
  symlinkSync('z', join(root, 'link'));
  mkdirSync(join(view, 'link'));
  writeFileSync(join(view, 'link/new'), 'new');
  const {steps} = await prepare();
  // As if the process had died right after its journal was written.
  expect(await undoSteps({root, folder, steps})).toEqual([]);
  expect(readFileSync(join(root, 'link'), 'utf8')).toBe('old');
});

test.each([
  ['in place', () => appendFileSync(join(root, 'z'), ' and an hour of work')],
  [
    'in place, its time and size as before',
    () => {
      const {atime, mtime} = statSync(join(root, 'z'));
      writeFileSync(join(root, 'z'), 'NEWER');
      utimesSync(join(root, 'z'), atime, mtime);
    },
  ],
])('undoing leaves alone what a person has edited since %s', async (_how, edit) => {
  writeFileSync(join(view, 'z'), 'newer');
  const {changes, steps} = await prepare();
  utimesSync(join(folder, 'new/0'), 1, 1);
  const {mtimeNs} = lstatSync(join(folder, 'new/0'), {bigint: true});
  const settled = steps.map((step) => ({...step, content: {...step.content!, mtime: String(mtimeNs)}}));
  await applyChanges({root, folder, seal, steps: settled, changes});
  edit();
  const edited = readFileSync(join(root, 'z'), 'utf8');
  expect(await undoSteps({root, folder, steps: settled})).toMatchObject([{path: 'z'}]);
  expect(readFileSync(join(root, 'z'), 'utf8')).toBe(edited);
});

test.each([
  ['a file that comes', () => writeFileSync(join(view, 'new'), 'new'), false],
  ['a file that is replaced', () => writeFileSync(join(view, 'z'), 'newer'), false],
  ['a file that goes', () => rmSync(join(view, 'z')), true],
  ['a directory that comes', () => mkdirSync(join(view, 'new')), true],
  [
    'a directory that becomes a file',
    () => {
      rmSync(join(view, 'a'), {recursive: true});
      writeFileSync(join(view, 'a'), 'new');
    },
    true,
  ],
])('%s: it is a journal that makes one thing of it, or a single rename', async (_what, change, isJournaled) => {
  change();
  const {changes, steps} = await prepare();
  const commit = commitOf({root, folder, seal, steps, changes});
  await commit.begin();
  expect(await hasJournal(folder)).toBe(isJournaled);
  await commit.end();
  expect(await hasJournal(folder)).toBe(false);
});

const isRoot = process.geteuid?.() === 0;

test.runIf(isRoot)('if the system refuses to undo a path, all others are undone, and the error names it', async () => {
  writeFileSync(join(view, 'A'), 'new');
  writeFileSync(join(view, 'a/new'), 'new');
  writeFileSync(join(view, 'z'), 'newer');
  const prepared = await prepare();
  const attributes = (to: string, path: string): void => void execFileSync('chattr', [to, join(root, path)]);
  try {
    attributes('+a', 'a');
    attributes('+i', 'z');
  } catch {
    return console.log('skipped: the file system has no such attributes');
  }
  try {
    const error = await apply(prepared).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppliedInPart);
    expect(String(error)).toMatch(/`z` cannot be changed \(EPERM: .*lsattr.*as the call left them: `a\/new` \(EPERM/u);
    expect(String(error)).not.toContain('/proc/');
    expect(readdirSync(root)).toEqual(['a', 'z']);
    expect(await hasJournal(folder)).toBe(true);
  } finally {
    attributes('-a', 'a');
    attributes('-i', 'z');
  }
  expect(await undoSteps({root, folder, steps: prepared.steps})).toEqual([]);
  expect(readdirSync(join(root, 'a'))).toEqual(['b']);
});
