// Ordinary programs leave the same tree behind in a transactional call as in a direct one.
import {execFileSync} from 'node:child_process';
import {lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';
import {removeTree} from './remove-tree.fixture.ts';

const isRoot = process.getuid?.() === 0;

const setUp = `
mkdir -p src/deep/er docs
for i in 1 2 3; do echo "line $i of a" >> docs/a.txt; echo "int f$i(void);" >> src/f.h; done
echo 'int f(void) { return 1; }' > src/f.c
echo deep > src/deep/er/d; chmod 755 src/f.c; ln -s f.c src/link
printf 'all: out\\nout: src/f.c\\n\\tcp src/f.c out\\n' > Makefile
find . -exec touch -h -d 2020-01-01 {} +
`;

const programs: readonly (readonly [name: string, script: string, needs?: string])[] = [
  ['sed -i', 'sed -i s/line/LINE/ docs/a.txt'],
  [
    'patch',
    'printf -- "--- docs/a.txt\\n+++ docs/a.txt\\n@@ -1,3 +1,3 @@\\n-line 1 of a\\n+first\\n line 2 of a\\n line 3 of a\\n" | patch -p0',
    'patch',
  ],
  ['ed', 'printf "1d\\nw\\nq\\n" | ed -s docs/a.txt', 'ed'],
  ['tar', 'tar cf /tmp/t.tar src docs; rm -r src docs; tar xf /tmp/t.tar'],
  ['cp -a', 'cp -a src copy'],
  ['rsync', 'rsync -a --delete src/ docs/', 'rsync'],
  ['mv of a tree', 'mv src/deep docs/moved'],
  ['rename of a file', 'mv docs/a.txt docs/A.TXT'],
  ['find -delete', 'find src -type f -delete'],
  ['rm and make again', 'rm -r src/deep; mkdir -p src/deep; echo new > src/deep/new'],
  ['chmod -R', 'chmod -R a-w src'],
  ['a read-only tree removed', 'chmod -R a-w src; chmod -R u+w src; rm -r src'],
  ['ln -s', 'ln -s ../src docs/to-src; ln -sf deep src/link'],
  ['flock', 'flock docs/a.txt -c "echo locked >> docs/a.txt"', 'flock'],
  ['make, twice', 'make -s; touch -d 2019-01-01 src/f.c; make -s; rm -f src/f.h', 'make'],
  ['truncate and append', ': > docs/a.txt; echo x >> docs/a.txt; truncate -s 5 src/f.h'],
  ['sqlite3', 'sqlite3 docs/db "create table t(a); insert into t values(1)"', 'sqlite3'],
  ['perl -pi', "perl -pi -e 's/of/OF/' docs/a.txt", 'perl'],
  ['names of all sorts', "mkdir 'a b'; echo 1 > 'a b/ü'; echo 2 > 'docs/new\nline'; echo 3 > ./-rf"],
  [
    'file to directory and back',
    'rm Makefile; mkdir Makefile; echo 1 > Makefile/x; rm src/f.c; mkdir src/f.c; rm -r docs; echo 1 > docs',
  ],
];

let bench: TransactionBench;
beforeAll(() => {
  bench = openTransactionBench();
});
afterAll(async () => await bench.close());
beforeEach(() => fill());

function fill(): void {
  removeTree(bench.root);
  mkdirSync(bench.root);
  execFileSync('/bin/sh', ['-c', setUp], {cwd: bench.root});
}

/** Names, kinds, permissions, links and contents, and the times of files older than the call. */
function treeOf(below = ''): readonly string[] {
  return readdirSync(join(bench.root, below))
    .filter((name) => name !== '.lumenflow')
    .flatMap((name) => {
      const path = join(below, name);
      const stat = lstatSync(join(bench.root, path));
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isSymbolicLink()) return [`${path} -> ${readlinkSync(join(bench.root, path))}`];
      if (stat.isDirectory()) return [`${path}/ ${mode}`, ...treeOf(path)];
      const time = stat.mtime.getUTCFullYear() < 2021 ? stat.mtime.toISOString() : 'now';
      return [`${path} ${mode} ${time} ${readFileSync(join(bench.root, path), 'base64')}`];
    });
}

const isMissing = (program: string | undefined): boolean => {
  if (program === undefined) return false;
  try {
    execFileSync('/bin/sh', ['-c', 'command -v "$0"', program]);
    return false;
  } catch {
    return true;
  }
};

async function outcome(script: string, writes: 'direct' | 'transactional'): Promise<unknown> {
  fill();
  const {output} = await bench.run({input: {script}, patterns: ['**'], writes});
  return {output, tree: treeOf()};
}

describe('the tree after a transactional call equals the tree after a direct one', () => {
  test.each(programs.filter(([, , needs]) => !isMissing(needs)))('%s', async (_name, script) => {
    const direct = await outcome(`export LC_ALL=C; ${script}`, 'direct');
    const transactional = await outcome(`export LC_ALL=C; ${script}`, 'transactional');
    expect(transactional).toEqual(direct);
    expect(direct).toMatchObject({output: {success: true}});
  });

  // For an ordinary user, the overlay returns EXDEV, which the error explains.
  test.runIf(isRoot)('a renamed directory', async () => {
    const script = `perl -e 'rename("src", "lib") or die "$!"'`;
    expect(await outcome(script, 'transactional')).toEqual(await outcome(script, 'direct'));
  });
});
