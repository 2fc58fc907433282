// Files that transactional calls touch and whose contents are the same afterwards.
import {execFileSync} from 'node:child_process';
import {lstatSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {fillWorkspace, openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';

let bench: TransactionBench;
beforeAll(() => {
  bench = openTransactionBench();
});
afterAll(async () => await bench.close());
beforeEach(() => {
  fillWorkspace(bench);
  utimesSync(join(bench.root, 'docs/a.md'), 1_000_000_000, 1_000_000_000);
});

const look = (path = 'docs/a.md'): {ino: number; year: number; links: number} => {
  const {ino, mtime, nlink} = lstatSync(join(bench.root, path));
  return {ino, year: mtime.getFullYear(), links: nlink};
};
const touching = 'touch -d 2003-02-01T12:00:00Z docs/a.md';

describe.each<readonly [string, string]>([
  ['its time is set', touching],
  ['it is written as it is', `cat docs/a.md > other.tmp; cat other.tmp > docs/a.md; rm other.tmp; ${touching}`],
  ['another file of that content takes its place', `cp docs/a.md b; mv b docs/a.md; ${touching}`],
])('where %s', (_how, script) => {
  test('a touched file is not a change, and keeps its new time', async () => {
    const {ino} = look();
    const {output, changes} = await bench.run({input: {script}});
    expect(output).toMatchObject({success: true});
    expect(changes?.entries).toEqual([]);
    expect(look()).toEqual({ino, year: 2003, links: 1});
  });

  test('other changes of the call are applied', async () => {
    const {changes} = await bench.run({input: {script: `${script}; echo x >> other.txt`}});
    expect(changes).toMatchObject({state: 'applied', entries: [{path: 'other.txt'}]});
    expect(look().year).toBe(2003);
  });

  test('its time is parked with the changes', async () => {
    const whileParked = (): void => expect(look().year).toBe(2001);
    const {changes} = await bench.run({input: {script: `${script}; echo x >> other.txt`}, whileParked});
    expect(changes?.state).toBe('applied');
    expect(look().year).toBe(2003);
  });

  test('it is not reachable without a grant', async () => {
    const {output} = await bench.run({input: {script}, patterns: ['other*', 'b']});
    expect(output.success).toBe(false);
    expect(look().year).toBe(2001);
  });

  test('a nested call passes its time on to the caller', async () => {
    const others = async (): Promise<void> => {
      await bench.run({input: {script}, caller: 'rcp-caller'});
    };
    const input = {first: 'echo 1 >> other.txt', last: 'date -r docs/a.md +%Y'};
    const {output} = await bench.run({handler: 'shellAroundOthers', input, receiptId: 'rcp-caller', others});
    expect(output).toEqual({success: true, data: {said: '2003\n'}});
    expect(look().year).toBe(2003);
  });
});

test('concurrent calls that touch the same file do not conflict', async () => {
  const others = async (): Promise<void> => {
    const {changes} = await bench.run({input: {script: `${touching}; echo 1 > one`}});
    expect(changes?.state).toBe('applied');
  };
  const input = {script: 'touch docs/a.md; echo 2 > two'};
  const {changes} = await bench.run({handler: 'shellAmongOthers', input, others});
  expect(changes?.state).toBe('applied');
  expect(look().year).toBeGreaterThan(2003);
});

test('a write by somebody else during the call is a conflict', async () => {
  const others = (): void => writeFileSync(join(bench.root, 'docs/a.md'), 'theirs');
  const {changes} = await bench.run({handler: 'shellAmongOthers', input: {script: touching}, others});
  expect(changes?.state).toBe('conflict');
});

test('git reads and touches packs without a change', async () => {
  const git = 'git -c user.name=n -c user.email=e@example.org';
  const setUp = `git init -q; echo a > a; git add a; ${git} commit -qm a; git gc -q; touch -d 2001-01-01 .git/objects/pack/*`;
  execFileSync('/bin/sh', ['-c', setUp], {cwd: bench.root});
  // Git writes an object that is already in the pack.
  const {changes} = await bench.run({input: {script: 'git hash-object -w a'}});
  expect(changes?.entries).toEqual([]);
});

test('a file with several hard links stays one file when it is touched', async () => {
  execFileSync('ln', ['docs/a.md', 'second'], {cwd: bench.root});
  await bench.run({input: {script: touching}});
  expect(look()).toMatchObject({year: 2003, links: 2});
});

test('replacing one of several hard links by a copy is a change', async () => {
  execFileSync('ln', ['docs/a.md', 'second'], {cwd: bench.root});
  await bench.run({input: {script: 'cp docs/a.md b; mv b docs/a.md'}});
  expect([look().links, look('second').links]).toEqual([1, 1]);
});
