import {execFileSync} from 'node:child_process';
import {chmodSync, linkSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {fillWorkspace, openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';

let bench: TransactionBench;
beforeAll(() => {
  bench = openTransactionBench();
});
afterAll(async () => await bench.close());
beforeEach(() => fillWorkspace(bench));
afterEach(() => expect(bench.leftovers()).toEqual([]));

test('the changes of a successful call are applied, and listed with its digest', async () => {
  const outcome = await bench.call(
    'echo x >> docs/a.md; printf new > docs/é\\ new.md; rm docs/b.md; chmod 600 docs/deep/c.md',
    'docs/**',
  );
  expect(outcome.output).toMatchObject({success: true});
  expect(bench.tree()).toMatchObject({
    'docs/a.md': '644 a\r\nx\n',
    'docs/é new.md': '644 new',
    'docs/deep/c.md': '600 c',
  });
  expect(bench.tree()).not.toHaveProperty(['docs/b.md']);
  expect(outcome.changes).toMatchObject({
    state: 'applied',
    entries: [
      {path: 'docs/a.md', op: 'modify', before: {kind: 'file', bytes: 3}, after: {kind: 'file', bytes: 5}},
      {path: 'docs/b.md', op: 'delete', before: {kind: 'file', bytes: 1}},
      {path: 'docs/deep/c.md', op: 'chmod', before: {mode: 0o644}, after: {mode: 0o600}},
      {path: 'docs/é new.md', op: 'create', after: {kind: 'file', bytes: 3}},
    ],
  });
  expect(outcome.artifacts_written).toEqual(['docs/a.md', 'docs/é new.md']);
});

describe('all or nothing', () => {
  test.each([
    ['fails', {input: {script: 'echo x > docs/a.md; rm -r docs/deep; exit 3'}}, 'SCRIPT_FAILED'],
    ['is killed', {input: {script: 'echo x > docs/a.md; kill -9 $PPID; sleep 5'}}, 'TOOL_CRASHED'],
    [
      'runs out of time',
      {input: {script: 'echo x > docs/a.md; sleep 20'}, declared: {timeout_ms: 1500}},
      'TOOL_TIMEOUT',
    ],
    ['throws', {handler: 'bothWays', input: {fail: true}}, 'TOOL_EXECUTION_FAILED'],
  ])('a call that %s leaves the tree as it was', async (_how, options, code) => {
    const before = bench.tree();
    const outcome = await bench.run({...options, patterns: ['docs/**']});
    expect(outcome.output.error?.code).toBe(code);
    expect(outcome.changes?.state).toBe('discarded');
    expect(outcome.changes?.entries.length).toBeGreaterThan(0);
    expect(outcome.artifacts_written).toBeUndefined();
    expect(bench.tree()).toEqual(before);
  });

  test('a call whose output does not match its schema leaves the tree unchanged', async () => {
    const before = bench.tree();
    const validateOutput = (): readonly {pointer: string; message: string}[] => [{pointer: '', message: 'wrong'}];
    const {changes} = await bench.run({input: {script: 'echo x > docs/a.md'}, validateOutput});
    expect(changes?.state).toBe('discarded');
    expect(bench.tree()).toEqual(before);
  });

  test('a cancelled call leaves the tree unchanged', async () => {
    const before = bench.tree();
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 700);
    const outcome = await bench.run({input: {script: 'echo x > docs/a.md; sleep 20'}, signal: controller.signal});
    expect(outcome.output.error?.code).toBe('TOOL_CANCELLED');
    expect(bench.tree()).toEqual(before);
  });

  test('writes of a background process after the result are lost', async () => {
    const {output} = await bench.call(
      'echo 1 > docs/a.md; (while :; do echo late >> docs/late.md; done) >/dev/null 2>&1 &',
      'docs/**',
    );
    expect(output.success).toBe(true);
    const seen = bench.tree();
    expect(seen['docs/a.md']).toBe('644 1\n');
    expect(bench.tree()).toEqual(seen);
  });
});

describe('every kind of change', () => {
  const cases: readonly (readonly [
    what: string,
    script: string,
    tree: Readonly<Record<string, string | undefined>>,
  ])[] = [
    ['a rename', 'mv docs/a.md docs/z.md', {'docs/a.md': undefined, 'docs/z.md': '644 a\r\n'}],
    ['a directory removed', 'rm -r docs/deep', {'docs/deep/': undefined, 'docs/deep/er/d.md': undefined}],
    [
      'a directory removed and made anew',
      'rm -r docs/deep; mkdir docs/deep; echo 1 > docs/deep/new',
      {'docs/deep/c.md': undefined, 'docs/deep/er/': undefined, 'docs/deep/new': '644 1\n'},
    ],
    ['a directory moved', 'mv docs/deep docs/moved', {'docs/deep/': undefined, 'docs/moved/er/d.md': '644 d'}],
    ['an empty directory', 'mkdir -m 750 docs/empty', {'docs/empty/': '750'}],
    ['a mode alone', 'chmod +x docs/a.md; chmod 700 docs/deep', {'docs/a.md': '755 a\r\n', 'docs/deep/': '700'}],
    ['a symlink inside', 'ln -s ../other.txt docs/link', {'docs/link': '-> ../other.txt'}],
    [
      'a file in place of a directory',
      'rm -r docs/deep; echo 1 > docs/deep',
      {'docs/deep': '644 1\n', 'docs/deep/': undefined},
    ],
    [
      'a directory in place of a file',
      'rm docs/a.md; mkdir -p docs/a.md/b; echo 1 > docs/a.md/b/c',
      {'docs/a.md': undefined, 'docs/a.md/b/c': '644 1\n'},
    ],
    [
      'names of all sorts',
      "printf 1 > 'docs/a b'; printf 2 > docs/ü; printf 3 > 'docs/new\nline'; printf 4 > 'docs/-rf'",
      {'docs/a b': '644 1', 'docs/ü': '644 2', 'docs/new\nline': '644 3', 'docs/-rf': '644 4'},
    ],
    ['bytes as they are', "printf '1\\r\\n2\\r\\n' > docs/crlf", {'docs/crlf': '644 1\r\n2\r\n'}],
  ];
  test.each(cases)('%s', async (_what, script, expected) => {
    const outcome = await bench.call(script, 'docs/**');
    expect(outcome.output).toMatchObject({success: true});
    const tree = bench.tree();
    for (const [path, value] of Object.entries(expected)) expect([path, tree[path]]).toEqual([path, value]);
    expect(tree).toMatchObject({'docs/b.md': '644 b', 'other.txt': '644 other'});
  });

  test('a file that was only opened for writing is not listed', async () => {
    const {changes} = await bench.call(': >> docs/a.md', 'docs/**');
    expect(changes).toMatchObject({state: 'applied', entries: []});
  });

  test('hard links between changed files, times and holes are preserved', async () => {
    const {output} = await bench.call(
      "echo 1 > docs/one; ln docs/one docs/two; touch -d '2001-02-03 04:05:06Z' docs/one; truncate -s 50M docs/holes",
      'docs/**',
    );
    expect(output).toMatchObject({success: true});
    const [one, two, holes] = ['one', 'two', 'holes'].map((name) => statSync(join(bench.root, 'docs', name)));
    expect(one?.ino).toBe(two?.ino);
    expect(one?.mtime.toISOString()).toBe('2001-02-03T04:05:06.000Z');
    expect(holes?.size).toBe(50 * 1024 * 1024);
    expect(holes?.blocks).toBeLessThan(100);
  });

  test('a hard link to a file outside is not written through', async () => {
    linkSync(join(bench.root, 'other.txt'), join(bench.root, 'docs/linked'));
    const {output} = await bench.call('echo x > docs/linked', 'docs/**');
    expect(output.error).toMatchObject({code: 'SCOPE_DENIED', details: {path: 'other.txt'}});
    expect(bench.tree()).toMatchObject({'docs/linked': '644 other', 'other.txt': '644 other'});
  });
});

describe("the context's fs", () => {
  test("and plain files see each other's writes, which are applied together", async () => {
    const {output} = await bench.run({handler: 'bothWays', input: {}, patterns: ['docs/**']});
    expect(output).toMatchObject({success: true, data: {seenInside: 'brokered', seenByHost: 'plain'}});
    expect(bench.tree()).toMatchObject({'docs/brokered.md': '644 brokered', 'docs/plain.md': '644 plain'});
  });
});

test('git works in a transactional call', async () => {
  const git = 'git -c user.name=a -c user.email=a@b -c init.defaultBranch=main';
  execFileSync('/bin/sh', ['-c', `${git} init -q . && ${git} add -A && ${git} commit -qm first`], {cwd: bench.root});
  const outcome = await bench.call(
    `echo more >> docs/a.md; rm docs/b.md; ${git} add -A && ${git} commit -qm second && ${git} log --oneline | wc -l`,
    '**',
    '.git/**',
  );
  expect(outcome.output).toMatchObject({success: true, data: {said: '2\n'}});
  expect(execFileSync('git', ['status', '--porcelain'], {cwd: bench.root, encoding: 'utf8'})).toBe('');
  expect(
    execFileSync('git', ['fsck', '--strict'], {cwd: bench.root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']}),
  ).toBe('');
});

test('a directory that the host cannot read discards all changes', async () => {
  const before = bench.tree();
  chmodSync(join(bench.root, 'docs/deep'), 0o755);
  const {output} = await bench.call('mkdir docs/closed; echo x > docs/closed/a; chmod 0 docs/closed', 'docs/**');
  // Root can read it anyway.
  if (process.getuid?.() === 0) expect(output.success).toBe(true);
  else {
    expect(output.success).toBe(false);
    expect(bench.tree()).toEqual(before);
  }
});

test('writes are also isolated behind a network allowlist', async () => {
  const {output} = await bench.run({
    input: {script: 'echo x > docs/a.md; getent hosts listed.example'},
    patterns: ['docs/**'],
    network: ['listed.example:443'],
  });
  expect(output).toMatchObject({success: true, data: {said: expect.stringContaining('listed.example')}});
  expect(bench.tree()).toMatchObject({'docs/a.md': '644 x\n'});
});
