import {chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {findChanges} from './find-changes.ts';
import {judgeChanges, type Objection} from './judge-changes.ts';
import {valueOf} from '../testing/value-of.fixture.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'judge-')));
  for (const tree of ['root', 'view']) mkdirSync(join(base, tree, 'src'), {recursive: true});
});
afterEach(() => rmSync(base, {recursive: true, force: true}));

/** Only what is below `src` and ends in `.ts`, or is named `src` itself, is granted. */
async function judge(): Promise<Objection | undefined> {
  const [root, view] = [join(base, 'root'), join(base, 'view')];
  const found = valueOf(await findChanges({root, view, touched: view, changesMax: 100}));
  const {changes} = found;
  const access = {
    allows: (path: string) => /^src(\/.*\.ts)?$/.test(path),
    whyNot: (path: string) => ({message: `writing \`${path}\` is not granted`, details: {layer: 'lane'}}),
  };
  return await judgeChanges({changes, access, root, view});
}

const inView = (path: string): string => join(base, 'view', path);

test.each([0o4755, 0o2755])('a file that has become setuid or setgid (%o) is refused', async (mode) => {
  writeFileSync(inView('src/a.ts'), '');
  chmodSync(inView('src/a.ts'), mode);
  const message = expect.stringContaining('clear the bit');
  expect(await judge()).toMatchObject({code: 'SCOPE_DENIED', message, details: {path: 'src/a.ts'}});
});

test('one that was so before is not', async () => {
  for (const tree of ['root', 'view']) {
    writeFileSync(join(base, tree, 'src/a.ts'), tree);
    chmodSync(join(base, tree, 'src/a.ts'), 0o4755);
  }
  expect(await judge()).toBeUndefined();
});

test('directories on the way to what is granted are granted, those that lead nowhere are not', async () => {
  mkdirSync(inView('src/deep/er'), {recursive: true});
  writeFileSync(inView('src/deep/er/a.ts'), '');
  expect(await judge()).toBeUndefined();
  mkdirSync(inView('src/empty'));
  expect(await judge()).toMatchObject({code: 'SCOPE_DENIED', details: {path: 'src/empty', layer: 'lane'}});
});

test.each([
  ['/etc/passwd', false],
  ['../../x', false],
  ['loop.ts', true],
  ['/usr/bin/env', true],
  ['/usr/../etc/passwd', false],
  ['x/../y', false],
  ['.././src', true],
  ['../other/missing', true],
  ['.', true],
])('a symlink to %s may be made: %s', async (text, mayBe) => {
  symlinkSync(text, inView('src/loop.ts'));
  const objection = await judge();
  expect(objection === undefined).toBe(mayBe);
});
