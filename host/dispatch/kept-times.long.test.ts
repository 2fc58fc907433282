// The times of directories and symlinks after transactional calls. Make, rsync and git compare them.
import {execFileSync} from 'node:child_process';
import {lstatSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest';
import {fillWorkspace, openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';

let bench: TransactionBench;
beforeAll(() => {
  bench = openTransactionBench();
});
afterAll(async () => await bench.close());
beforeEach(fill);
function fill(): void {
  fillWorkspace(bench);
  const script = 'ln -s a.md docs/link; find docs -exec touch -h -d 2020-01-01T00:00:00.123456Z {} +';
  execFileSync('/bin/sh', ['-c', script], {cwd: bench.root});
}

/** Precise to a microsecond, like `fileTime`. */
const first = '2020-01-01T00:00:00.123456';
function timeOf(path: string): string {
  const {mtimeNs} = lstatSync(join(bench.root, path), {bigint: true});
  const [seconds, rest] = [mtimeNs / 1_000_000_000n, ((mtimeNs % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n];
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}.${String(rest).padStart(9, '0')}`;
}

test.each<readonly [what: string, script: string, path: string, time: string]>([
  ['a file in it is written to', 'echo x >> docs/deep/c.md', 'docs/deep', first],
  ['it is set', 'touch -d 2003-02-01T00:00:00.5Z docs/deep', 'docs/deep', '2003-02-01T00:00:00.500000000'],
  [
    'that of a symlink is set',
    'touch -h -d 2003-02-01T00:00:00Z docs/link',
    'docs/link',
    '2003-02-01T00:00:00.000000000',
  ],
  ['a tree is copied with its times', 'cp -a docs/deep docs/copy', 'docs/copy/er', first],
  ['it is before 1970', 'touch -d 1960-02-01T00:00:00Z other.txt', 'other.txt', '1960-02-01T00:00:00.000000000'],
  ['it is exact', 'touch -d 2001-02-03T04:05:06.789Z other.txt', 'other.txt', '2001-02-03T04:05:06.789000'],
])('a time stays that of the view when %s, applied at once or from parked', async (_what, script, path, time) => {
  for (const parked of [{}, {whileParked: () => undefined}]) {
    fill();
    const {output} = await bench.run({input: {script}, ...parked});
    expect(output).toMatchObject({success: true});
    expect(timeOf(path).slice(0, time.length)).toBe(time);
  }
});

test('a directory changed while the changes were parked keeps the time of that change', async () => {
  const whileParked = (): void => writeFileSync(join(bench.root, 'docs/deep/theirs'), 'theirs');
  const script = 'touch -d 2003-02-01T00:00:00Z docs/deep docs/deep/er; echo x >> docs/deep/c.md';
  const {changes} = await bench.run({input: {script}, whileParked});
  expect(changes?.state).toBe('applied');
  expect([timeOf('docs/deep') > '2021', timeOf('docs/deep/er').slice(0, 4)]).toEqual([true, '2003']);
});

test("adding or removing a name updates the directory's time", async () => {
  await bench.call('echo n > docs/deep/n; touch docs/gone; rm docs/gone; sleep 0.05; echo x >> other.txt');
  for (const path of ['docs', 'docs/deep']) {
    expect(timeOf(path) > '2021').toBe(true);
    expect(timeOf(path) < timeOf('other.txt')).toBe(true);
  }
});

test('a directory changed by somebody else during the call keeps the time of that change', async () => {
  const others = (): void => writeFileSync(join(bench.root, 'docs/deep/theirs'), 'theirs');
  const script = 'touch -d 2003-02-01T00:00:00Z docs/deep; echo x >> docs/deep/c.md';
  const {output} = await bench.run({handler: 'shellAmongOthers', input: {script}, others});
  expect(output).toMatchObject({success: true});
  expect(timeOf('docs/deep') > '2021').toBe(true);
});

test('a nested call passes times on to its caller', async () => {
  const nested = 'touch -d 2003-02-01T00:00:00Z docs/deep/er; echo x >> docs/deep/c.md';
  const others = async (): Promise<void> => {
    const {output} = await bench.run({input: {script: nested}, caller: 'rcp-caller'});
    expect(output).toMatchObject({success: true});
  };
  const input = {first: 'echo 1 >> other.txt', last: 'stat -c %Y docs/deep/er'};
  const {output} = await bench.run({handler: 'shellAroundOthers', input, receiptId: 'rcp-caller', others});
  expect(output).toEqual({success: true, data: {said: `${Date.UTC(2003, 1, 1) / 1000}\n`}});
  expect(timeOf('docs/deep/er')).toBe('2003-02-01T00:00:00.000000000');
});
