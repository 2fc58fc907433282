// Directories that two calls make at the same time are joined. Every other concurrent change is a conflict.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {failed} from '../outcome.ts';
import {applyToWorkspace} from './apply-to-workspace.ts';
import type {Change} from './change.ts';
import {lookAtOnce} from './entry.ts';
import {nextTick} from './find-conflicts.ts';
import {hashFile} from './hash-file.ts';
import {valueOf} from '../testing/value-of.fixture.ts';
import type {KeptTimes} from './kept-times.ts';

let base: string;
let root: string;
let view: string;
let folder: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'applied-')));
  [root, view, folder] = ['root', 'view', 'folder'].map((name) => join(base, name)) as [string, string, string];
  for (const path of [root, folder, join(view, 'new/inner')]) mkdirSync(path, {recursive: true});
  for (let index = 0; index < 12; index += 1) writeFileSync(join(view, 'new/inner', `mine-${index}`), 'mine');
});
afterEach(() => rmSync(base, {recursive: true, force: true}));

function changesIn(directory: string, isMade = true): readonly Change[] {
  return readdirSync(join(view, directory)).flatMap((name): readonly Change[] => {
    const path = join(directory, name);
    const after = lookAtOnce(join(view, path));
    if (after === undefined) throw new Error(path);
    const change: Change = {path, kind: 'created', after, source: join(view, path), isMade};
    return after.kind === 'directory' ? [change, ...changesIn(path, isMade)] : [change];
  });
}

async function apply(
  duringApply: () => void = () => undefined,
  times?: KeptTimes,
  changes = changesIn(''),
): ReturnType<typeof applyToWorkspace> {
  const files = changes.filter(({after}) => after?.kind === 'file').map(({path}) => path);
  const hashes = new Map(
    await Promise.all(files.map(async (path) => [path, await hashFile(join(view, path))] as const)),
  );
  return await applyToWorkspace(changes, {
    root,
    view,
    folder,
    hashes,
    startNs: await nextTick(folder),
    namesAtStart: () => false,
    times,
    seal() {
      duringApply();
      return Promise.resolve({key: Buffer.alloc(32, 1), id: 'one', root: '1:1'});
    },
  });
}

/** As another call brings it, whose directory is renamed into place with what is in it. */
function theirs(file: string, mode = 0o755): void {
  mkdirSync(join(root, 'new/inner'), {recursive: true, mode});
  writeFileSync(join(root, 'new/inner', file), 'theirs');
}
const names = (): readonly string[] => readdirSync(join(root, 'new/inner')).toSorted();

test.each(['once the changes are found', 'while they are applied'])(
  'another call makes the directory %s',
  async (when) => {
    const other = (): void => theirs('theirs');
    if (when.startsWith('once')) other();
    const written = valueOf(await apply(when.startsWith('once') ? undefined : onFirst(other)));
    expect(written).toContain('new/inner/mine-0');
    expect(names()).toHaveLength(13);
    expect(readFileSync(join(root, 'new/inner/theirs'), 'utf8')).toBe('theirs');
  },
);

test.each(['once the changes are found', 'while they are applied'])(
  'a file in it that both make is a conflict: %s',
  async (when) => {
    const other = (): void => theirs('mine-3');
    if (when.startsWith('once')) other();
    expect(await apply(when.startsWith('once') ? undefined : onFirst(other))).toEqual(failed(['new/inner/mine-3']));
    expect(names()).toEqual(['mine-3']);
    expect(readFileSync(join(root, 'new/inner/mine-3'), 'utf8')).toBe('theirs');
  },
);

test.each(['once the changes are found', 'while they are applied'])(
  'a directory that another call makes keeps its time: %s',
  async (when) => {
    const times = new Map([['new', 1_000_000_000n]]);
    const other = (): void => mkdirSync(join(root, 'new'));
    if (when.startsWith('once')) other();
    await apply(when.startsWith('once') ? undefined : onFirst(other), times);
    expect(names()).toHaveLength(12);
    expect(lstatSync(join(root, 'new')).mtimeMs).toBeGreaterThan(1000);
  },
);

test('another call puts a directory into one that this call has just made', async () => {
  let isLooking = true;
  const look = (): void => {
    if (!isLooking) return;
    if (existsSync(join(root, 'new')) && !existsSync(join(root, 'new/inner'))) theirs('theirs');
    else setImmediate(look);
  };
  const applying = apply(onFirst(look), undefined, changesIn('', false));
  const written = valueOf(await applying.finally(() => (isLooking = false)));
  expect(names()).toContain('theirs');
  expect(written).toContain('new/inner/mine-0');
  expect(names()).toHaveLength(13);
});

test('so are other permissions of the directory', async () => {
  theirs('theirs', 0o700);
  expect(await apply()).toEqual(failed(['new', 'new/inner']));
  expect(names()).toEqual(['theirs']);
});

test('and so is a file in its place', async () => {
  writeFileSync(join(root, 'new'), 'theirs');
  expect(await apply()).toEqual(failed(['new']));
  expect(existsSync(join(root, 'new/inner'))).toBe(false);
});

function onFirst(run: () => void): () => void {
  let isFirst = true;
  return () => {
    if (isFirst) run();
    isFirst = false;
  };
}
