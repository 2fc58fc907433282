// Transactional writes to files with several hard links: as after a direct call, they stay one file.
import {execFileSync} from 'node:child_process';
import {existsSync, linkSync, lstatSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {fillWorkspace, openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';

let bench: TransactionBench;
beforeAll(() => {
  bench = openTransactionBench();
});
afterAll(async () => await bench.close());
const at = (path: string): string => join(bench.root, path);
const all = ['docs/a.md', 'docs/deep/twin', 'twin'];
beforeEach(() => {
  fillWorkspace(bench);
  for (const name of all.slice(1)) linkSync(at('docs/a.md'), at(name));
});
afterEach(() => expect(bench.leftovers()).toEqual([]));

const files = (): readonly unknown[] => all.map((path) => [lstatSync(at(path)).ino, lstatSync(at(path)).nlink]);
const contents = (): readonly string[] => all.map((path) => readFileSync(at(path), 'utf8'));

test.each(all)('writing to %s writes to all names', async (name) => {
  const {output, changes} = await bench.call(`echo x >> ${name}`);
  expect(output).toMatchObject({success: true});
  expect(contents()).toEqual(Array.from({length: 3}, () => 'a\r\nx\n'));
  expect(new Set(files().map(String)).size).toBe(1);
  expect(lstatSync(at('twin')).nlink).toBe(3);
  expect(changes?.entries.map(({path, op}) => `${op} ${path}`)).toEqual(all.map((path) => `modify ${path}`));
});

test('nothing is applied if the call cannot write to one of the names', async () => {
  linkSync(at('.npmrc'), at('docs/settings'));
  const {output} = await bench.call('echo x >> docs/settings');
  expect(output.error).toMatchObject({code: 'SCOPE_DENIED', details: {path: '.npmrc'}});
  expect(readFileSync(at('.npmrc'), 'utf8')).toBe('trusted');
});

test('a replaced name becomes a separate file', async () => {
  await bench.call('cp docs/a.md new; echo x >> new; mv new docs/a.md; rm docs/deep/twin; echo y > docs/deep/twin');
  expect(contents()).toEqual(['a\r\nx\n', 'y\n', 'a\r\n']);
});

test('a file with a name outside of the workspace keeps its content there', async () => {
  mkdirSync(join(bench.root, '../store'), {recursive: true});
  const outside = join(bench.root, '../store', String(process.hrtime.bigint()));
  linkSync(at('twin'), outside);
  const {output} = await bench.call('echo x >> docs/a.md');
  expect(output).toMatchObject({success: true});
  expect(readFileSync(outside, 'utf8')).toBe('a\r\n');
  expect(contents()).toEqual(['a\r\nx\n', 'a\r\n', 'a\r\n']);
});

test('different contents written through two names are refused with the reason and the fix', async () => {
  const {output} = await bench.call('echo x >> docs/a.md; echo y >> docs/deep/twin');
  expect(output.error).toMatchObject({code: 'SCOPE_DENIED', message: expect.stringMatching(/names of one file.*cp/su)});
  expect(contents()).toEqual(Array.from({length: 3}, () => 'a\r\n'));
});

test('a nested call writes to all names of its caller', async () => {
  const others = async (): Promise<void> => {
    const {output} = await bench.run({input: {script: 'echo x >> docs/deep/twin'}, caller: 'rcp-caller'});
    expect(output).toMatchObject({success: true});
  };
  const input = {first: 'true', last: 'cat docs/a.md'};
  const {output} = await bench.run({handler: 'shellAroundOthers', input, receiptId: 'rcp-caller', others});
  expect(output).toEqual({success: true, data: {said: 'a\r\nx\n'}});
  expect(contents()).toEqual(Array.from({length: 3}, () => 'a\r\nx\n'));
});

test('no overlay attributes are left on them', async () => {
  await bench.call('echo x >> docs/deep/twin');
  const listed = execFileSync(
    '/bin/sh',
    ['-c', 'command -v getfattr >/dev/null || exit 0; getfattr -d -m - docs/a.md'],
    {
      cwd: bench.root,
      encoding: 'utf8',
    },
  );
  expect(listed).toBe('');
});

test('a new hard link stays one when the change is parked, and conflicts when the file has changed', async () => {
  const script = 'ln docs/b.md docs/linked; echo x > docs/x; ln docs/x docs/y';
  const {changes} = await bench.run({input: {script}, whileParked: () => undefined});
  expect(changes).toMatchObject({state: 'applied'});
  for (const [one, other] of [
    ['docs/b.md', 'docs/linked'],
    ['docs/x', 'docs/y'],
  ] as const)
    expect(lstatSync(at(one)).ino).toBe(lstatSync(at(other)).ino);
  const again = await bench.run({
    input: {script: 'ln docs/b.md docs/more'},
    whileParked: () => writeFileSync(at('docs/b.md'), 'theirs'),
  });
  expect(again).toMatchObject({changes: {state: 'conflict'}, conflicts: ['docs/b.md']});
  expect([existsSync(at('docs/more')), readFileSync(at('docs/b.md'), 'utf8')]).toEqual([false, 'theirs']);
});

test('a file that its user cannot read is parked like others', async () => {
  const script = 'echo c > docs/closed; chmod 0 docs/closed docs/b.md';
  const {changes} = await bench.run({input: {script}, whileParked: () => undefined});
  expect(changes).toMatchObject({state: 'applied'});
  expect(['docs/closed', 'docs/b.md'].map((path) => lstatSync(at(path)).mode & 0o777)).toEqual([0, 0]);
});
