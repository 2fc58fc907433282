import {mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createHostFiles} from '../profile/host-files.ts';
import {filesInView} from './files-in-view.ts';

let folder: string;
let root: string;
let door: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'files-in-view-')));
  [root, door] = [join(folder, 'workspace'), join(folder, 'copy')];
  // The state of the runtime is an empty directory in a copy.
  for (const path of [join(root, '.lumenflow/cache'), join(door, '.lumenflow'), join(door, 'docs')])
    mkdirSync(path, {recursive: true});
  writeFileSync(join(root, '.lumenflow/cache/bundle.mjs'), 'code');
  writeFileSync(join(door, 'docs/a'), 'of the caller');
});
afterEach(() => rmSync(folder, {recursive: true}));

test('the workspace is that of the caller, and the state of the runtime is that of the host', () => {
  const files = filesInView(createHostFiles(), root, door);
  expect([files.kindOf(join(root, 'docs/a')), files.textOf(join(root, 'docs/a'))]).toEqual(['file', 'of the caller']);
  const bundle = join(root, '.lumenflow/cache/bundle.mjs');
  expect([files.kindOf(bundle), files.realPath(bundle), files.textOf(bundle)]).toEqual(['file', bundle, 'code']);
  expect(files.entries(join(root, '.lumenflow/cache'))).toHaveLength(1);
});

test('a symlink of the caller into the state leads to that of the host', () => {
  symlinkSync('../.lumenflow/cache', join(door, 'docs/link'));
  symlinkSync(join(root, '.lumenflow/cache'), join(door, 'docs/absolute'));
  const files = filesInView(createHostFiles(), root, door);
  for (const name of ['link', 'absolute'])
    expect(files.realPath(join(root, 'docs', name))).toBe(join(root, '.lumenflow/cache'));
});
