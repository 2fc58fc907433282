import {
  existsSync,
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
import {setImmediate as turn} from 'node:timers/promises';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {SandboxProfile} from '@lumenflow/schemas';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {findChanges} from './find-changes.ts';
import {openCopy} from './open-copy.ts';
import {createWriteBudget} from './write-budget.ts';
import type {WorkspaceView} from './workspace-view.ts';
import {valueOf} from '../testing/value-of.fixture.ts';

const why = {message: 'no overlay', help: 'use another kernel'};
let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'copy-')));
  mkdirSync(join(root, 'src/deep'), {recursive: true});
  mkdirSync(join(root, '.lumenflow/transactions/t'), {recursive: true});
  writeFileSync(join(root, 'src/a'), 'a');
  writeFileSync(join(root, 'src/deep/b'), 'b');
  symlinkSync('a', join(root, 'src/link'));
});
afterEach(() => rmSync(root, {recursive: true, force: true}));

async function open(profile: SandboxProfile = narrowestProfile()): Promise<WorkspaceView> {
  const view = valueOf(await openCopy(input(profile), why));
  return view;
}

function input(profile: SandboxProfile): Parameters<typeof openCopy>[0] {
  return {
    root,
    folder: join(root, '.lumenflow/transactions/t'),
    limits: {bytes: 1, files: 1},
    budget: createWriteBudget(1),
    upper: {},
    profile,
    enter: [],
  };
}

async function changed({door, touched, copied}: WorkspaceView): Promise<readonly string[]> {
  const found = valueOf(await findChanges({root, view: door, touched, changesMax: 100, copied}));
  const {changes} = found;
  return changes.map(({kind, path}) => `${kind} ${path}`);
}

test('only what was written to the copy is a change', async () => {
  const view = await open();
  writeFileSync(join(view.door, 'src/a'), 'b');
  rmSync(join(view.door, 'src/deep'), {recursive: true});
  mkdirSync(join(view.door, 'src/new'));
  expect(await changed(view)).toEqual(['modified src/a', 'deleted src/deep', 'deleted src/deep/b', 'created src/new']);
  expect(readFileSync(join(root, 'src/a'), 'utf8')).toBe('a');
});

test('what replaces a directory while it is copied is not copied', async () => {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'outside-')));
  const names = Array.from({length: 300}, (_, number) => `f${number}`);
  for (const name of names) {
    writeFileSync(join(outside, name), 'outside');
    writeFileSync(join(root, 'src/deep', name), 'inside');
  }
  try {
    const opening = open();
    let isOpen = false;
    void opening.then(() => (isOpen = true));
    while (!existsSync(join(root, '.lumenflow/transactions/t/tree/src/deep/f0'))) await turn();
    expect(isOpen).toBe(false);
    renameSync(join(root, 'src/deep'), join(root, 'src/away'));
    symlinkSync(outside, join(root, 'src/deep'));
    const {door} = await opening;
    expect(new Set(names.map((name) => readFileSync(join(door, 'src/deep', name), 'utf8')))).toEqual(
      new Set(['inside']),
    );
  } finally {
    rmSync(outside, {recursive: true});
  }
});

test('later changes by others beneath it are not changes of the call', async () => {
  const view = await open();
  writeFileSync(join(root, 'src/theirs'), 'new');
  writeFileSync(join(root, 'src/a'), 'changed');
  rmSync(join(root, 'src/deep/b'));
  expect(await changed(view)).toEqual([]);
});

test('has an empty directory in place of the runtime state, which is not a change', async () => {
  writeFileSync(join(root, '.lumenflow/secret'), 's');
  const view = await open();
  expect(readdirSync(join(view.door, '.lumenflow'))).toEqual([]);
  expect(await changed(view)).toEqual([]);
});

test('mounts come from the copy, but for the state of the runtime', async () => {
  const mount = (path: string): {source: string; target: string} => ({
    source: join(root, path),
    target: join(root, path),
  });
  const view = await open({
    ...narrowestProfile(),
    writable_bind_mounts: [mount('src')],
    readonly_bind_mounts: [mount('.lumenflow/cache'), {source: '/opt', target: '/opt'}],
  });
  expect(view.profile.writable_bind_mounts).toEqual([{source: join(view.door, 'src'), target: join(root, 'src')}]);
  expect(view.profile.readonly_bind_mounts).toEqual([mount('.lumenflow/cache'), {source: '/opt', target: '/opt'}]);
  expect(view.degraded.join()).toContain('no overlay');
});

test.each([
  {entriesMax: 3, bytesMax: 1000},
  {entriesMax: 100, bytesMax: 1},
])('a workspace over %o is refused', async (bounds) => {
  const refused = await openCopy(input(narrowestProfile()), why, bounds);
  expect(refused).toMatchObject({problem: {message: expect.stringContaining('too large to copy'), help: why.help}});
});
