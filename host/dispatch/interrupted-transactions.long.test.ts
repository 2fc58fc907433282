import {spawn} from 'node:child_process';
import {appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';
import {removeTree} from './remove-tree.fixture.ts';

const program = fileURLToPath(new URL('./transactional-writes-host.fixture.ts', import.meta.url));
const files = 400;
/** Changes, deletes and creates hundreds of files, in old and new directories. */
const script = `
for f in docs/old/*; do echo new > $f; done
rm -r docs/gone
mkdir -p docs/fresh/deep
i=0; while [ $i -lt ${files} ]; do echo $i > docs/fresh/deep/$i; i=$((i+1)); done
chmod 700 docs/old
rm docs/link; mkdir docs/link; echo new > docs/link/inside
`;

let bench: TransactionBench;
beforeAll(() => {
  bench = openTransactionBench();
});
afterAll(async () => await bench.close());

function fill(): void {
  removeTree(bench.root);
  for (const directory of ['docs/old', 'docs/gone/deep']) {
    mkdirSync(join(bench.root, directory), {recursive: true});
    for (let i = 0; i < files; i++) writeFileSync(join(bench.root, directory, `f${i}`), `old ${i}`);
  }
  symlinkSync('old', join(bench.root, 'docs/link'));
}

function journals(): readonly string[] {
  const all = join(bench.root, '.lumenflow/transactions');
  if (!existsSync(all)) return [];
  return readdirSync(all).filter((name) => existsSync(join(all, name, 'journal')));
}

/** Starts a host, kills it at `moment` after its journal exists, and returns whether it was applying changes. */
async function killWhileApplying(moment: () => Promise<unknown>): Promise<boolean> {
  const host = spawn(
    process.execPath,
    ['--conditions=@lumenflow/source', '--import', 'tsx', program, bench.root, script],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise((resolve) => host.once('close', resolve));
  while (journals().length === 0 && host.exitCode === null) await delay(1);
  await moment();
  host.kill('SIGKILL');
  await ended;
  return journals().length === 1;
}

test('the next host rolls back the tree of a host killed while applying', async () => {
  const middle: unknown[] = [];
  // Some changes must have been applied, otherwise there is nothing to roll back. The time this takes depends on the machine.
  const isPartly = (tree: unknown): boolean => /docs\/fresh|new/u.test(JSON.stringify(tree));
  for (const afterMs of [30, 5, 60, 0, 100, 15, 150, 220, 300]) {
    if (middle.length > 2 && middle.some(isPartly)) break;
    fill();
    const before = bench.tree();
    if (!(await killWhileApplying(() => delay(afterMs)))) continue;
    middle.push(bench.tree());
    const next = openTransactionBench(bench.root);
    await next.ready;
    expect(bench.tree()).toEqual(before);
    expect(next.recovered).toMatchObject([{kind: 'undone'}]);
    const {output} = await next.run({input: {script: 'true'}, patterns: ['docs/old/f1'], writes: 'direct'});
    expect(output.success).toBe(true);
    expect(bench.leftovers()).toEqual([]);
  }
  expect(middle.filter(isPartly)).not.toEqual([]);
});

test('a transaction of a live host is left alone', async () => {
  fill();
  const first = bench.call('echo 1 > docs/old/f1; sleep 1', 'docs/**');
  await delay(500);
  const next = openTransactionBench(bench.root);
  await next.call('echo 2 > docs/old/f2', 'docs/**');
  expect((await first).output.success).toBe(true);
  expect(bench.tree()).toMatchObject({'docs/old/f1': '644 1\n', 'docs/old/f2': '644 2\n'});
});

test('edits made after the host was killed are kept, and so are the files from before the call', async () => {
  const path = 'docs/old/f0';
  const isNew = async (): Promise<void> => {
    while (journals().length === 1 && !textOf(path).startsWith('new')) await delay(1);
  };
  do fill();
  while (!(await killWhileApplying(isNew)));
  appendFileSync(join(bench.root, path), 'an hour of work\n');
  const next = openTransactionBench(bench.root);
  await next.ready;
  expect(next.recovered).toMatchObject([{kind: 'left', paths: [path], message: expect.stringContaining(path)}]);
  expect(textOf(path)).toBe('new\nan hour of work\n');
  expect(textOf(join(String(next.recovered[0]?.where), 'before', path))).toMatch(/^old/);
});

function textOf(path: string): string {
  return readFileSync(join(bench.root, path), 'utf8');
}
