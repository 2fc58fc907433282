import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {removeTree} from './remove-tree.ts';

let base: string;
let tree: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'remove-tree-'));
  tree = join(base, 'tree');
  mkdirSync(tree);
});
afterEach(() => rmSync(base, {recursive: true, force: true}));

const shell = (script: string): unknown => execFileSync('/bin/bash', ['-c', script], {cwd: tree});

test.each([
  ['an ordinary tree', 'mkdir -p a/b; echo 1 > a/b/c; ln -s / link; mkfifo p'],
  ['paths longer than the system takes', 'for i in {1..60}; do d=$(printf %0200d $i); mkdir $d; cd $d; touch f; done'],
  [
    'names that are not UTF-8',
    "mkdir $'\\xff'; touch $'\\xff/\\xfe'; for i in {1..30}; do d=$(printf %0200d $i); mkdir $d; cd $d; done",
  ],
])('removes %s', async (_what, script) => {
  shell(script);
  await removeTree(tree);
  expect(existsSync(tree)).toBe(false);
});

test('follows no symlink, and leaves what is beside the tree', async () => {
  writeFileSync(join(base, 'beside'), '');
  shell('ln -s .. up; for i in {1..30}; do d=$(printf %0200d $i); mkdir $d; cd $d; ln -s /etc e; done');
  await removeTree(tree);
  expect(existsSync(join(base, 'beside'))).toBe(true);
});

test('a missing tree is ignored', async () => {
  await removeTree(join(base, 'none'));
});

test('an ordinary user removes folders without permissions', () => {
  const program = `import {removeTree} from '${new URL('./remove-tree.ts', import.meta.url).pathname}'; await removeTree(process.argv[1]);`;
  shell('mkdir -p a/b/c; echo 1 > a/b/c/d; chmod 0 a/b/c; chmod 0555 a/b; chmod 0 a');
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', '65534:65534', base]);
  const user = process.getuid?.() === 0 ? ['--reuid=65534', '--regid=65534', '--clear-groups'] : [];
  execFileSync('setpriv', [
    ...user,
    process.execPath,
    '--import',
    import.meta.resolve('tsx'),
    '--input-type=module',
    '-e',
    program,
    tree,
  ]);
  expect(existsSync(tree)).toBe(false);
});
