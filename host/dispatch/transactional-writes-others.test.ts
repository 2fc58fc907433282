// Files that others move, replace or keep open during a call are never deleted and never lost.
import {execFileSync} from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
  closeSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {fillWorkspace, openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';

type Outcome = Awaited<ReturnType<TransactionBench['run']>>;

let bench: TransactionBench;
beforeAll(() => {
  bench = openTransactionBench();
});
afterAll(async () => await bench.close());
beforeEach(() => {
  fillWorkspace(bench);
  mkdirSync(join(bench.root, 'aside/s'), {recursive: true});
  writeFileSync(join(bench.root, 'aside/s/person'), 'hours of work');
});
afterEach(() => expect(bench.leftovers()).toEqual([]));

const at = (path: string): string => join(bench.root, path);

function meanwhile(script: string, change: () => void | Promise<void>): Promise<Outcome> {
  return bench.run({handler: 'shellAmongOthers', input: {script}, patterns: ['docs/**'], others: change});
}

describe('a directory that was replaced by another one', () => {
  test.each([
    [
      'moved to where the call made one',
      'mkdir docs/s; echo mine > docs/s/t',
      () => renameSync(at('aside/s'), at('docs/s')),
      'docs/s',
    ],
    [
      'swapped where the call removed it and made it again',
      'rm -r docs/deep; mkdir docs/deep; echo mine > docs/deep/t',
      () => {
        renameSync(at('docs/deep'), at('aside/deep'));
        renameSync(at('aside/s'), at('docs/deep'));
      },
      'docs/deep',
    ],
    [
      'swapped where the call changed a file in it',
      'echo mine > docs/deep/person',
      () => {
        renameSync(at('docs/deep'), at('aside/deep'));
        renameSync(at('aside/s'), at('docs/deep'));
      },
      'docs/deep',
    ],
    [
      'moved away where the call changed a file in it',
      'echo mine > docs/deep/c.md',
      () => renameSync(at('docs/deep'), at('aside/deep')),
      'docs/deep',
    ],
  ])('%s: a conflict, and nothing is gone', async (_what, script, change, path) => {
    let theirs: unknown;
    const {changes, conflicts} = await meanwhile(script, () => {
      change();
      theirs = bench.tree();
    });
    expect(changes?.state).toBe('conflict');
    expect(conflicts).toContain(path);
    expect(bench.tree()).toEqual(theirs);
  });

  test('created by both: contains the files of both', async () => {
    const {changes} = await meanwhile('mkdir docs/both; echo mine > docs/both/mine', () => {
      mkdirSync(at('docs/both'));
      writeFileSync(at('docs/both/theirs'), 'theirs');
    });
    expect(changes?.state).toBe('applied');
    expect(bench.tree()).toMatchObject({'docs/both/mine': '644 mine\n', 'docs/both/theirs': '644 theirs'});
  });

  test("recreated by the call while others leave it alone: contains only the call's files", async () => {
    writeFileSync(at('docs/deep/.keep'), '');
    const {changes} = await bench.call('rm -r docs/deep; mkdir docs/deep; echo mine > docs/deep/mine', 'docs/**');
    expect(changes?.state).toBe('applied');
    expect(Object.keys(bench.tree()).filter((path) => path.startsWith('docs/deep/'))).toEqual([
      'docs/deep/',
      'docs/deep/mine',
    ]);
  });
});

test.runIf(process.getuid?.() === 0)('a file that looks like an overlay whiteout stays', async () => {
  execFileSync('mknod', [at('docs/deep/zero'), 'c', '0', '0']);
  const {changes} = await bench.call('echo mine > docs/deep/mine', 'docs/**');
  expect(changes?.state).toBe('applied');
  expect(statSync(at('docs/deep/zero')).isCharacterDevice()).toBe(true);
});

describe('a file that somebody has open', () => {
  test.each([
    ['for appending, where the call replaces it', 'echo mine > docs/a.md', 'docs/a.md', 'a'],
    ['for writing, where the call deletes it', 'rm docs/b.md', 'docs/b.md', 'r+'],
  ])('%s: a conflict, and what is written goes on', async (_what, script, path, flags) => {
    const fd = openSync(at(path), flags);
    try {
      const {conflicts} = await bench.call(script, 'docs/**');
      expect(conflicts).toEqual([path]);
      writeSync(fd, 'later');
      expect(readFileSync(at(path), 'utf8')).toContain('later');
    } finally {
      closeSync(fd);
    }
  });

  test('for reading: no conflict', async () => {
    const fd = openSync(at('docs/a.md'), 'r');
    const {changes} = await bench.call('echo mine > docs/a.md', 'docs/**');
    closeSync(fd);
    expect(changes?.state).toBe('applied');
  });

  test('for reading, and it is a database in use: a conflict', async () => {
    writeFileSync(at('docs/data.db'), 'rows');
    writeFileSync(at('docs/data.db-wal'), '');
    const fd = openSync(at('docs/data.db'), 'r');
    const {conflicts} = await bench.call('echo mine > docs/data.db', 'docs/**');
    closeSync(fd);
    expect(conflicts).toEqual(['docs/data.db']);
    appendFileSync(at('docs/data.db'), 'more');
    expect(existsSync(at('docs/data.db-wal'))).toBe(true);
  });
});
