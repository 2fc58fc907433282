// A virtual machine works on copies of files. What it writes passes the same judgement as the writes of every other backend.
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {fillWorkspace, openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';

const isAbsent = !existsSync('/usr/bin/qemu-system-x86_64') || !existsSync('/boot');
const timeoutMs = 120_000;

describe.skipIf(isAbsent)('vm (`apt-get install qemu-system-x86 linux-image-cloud-amd64 busybox-static`)', () => {
  let bench: TransactionBench;
  beforeAll(() => {
    bench = openTransactionBench(undefined, {backend: 'vm'});
  });
  afterAll(async () => await bench.close());
  beforeEach(() => fillWorkspace(bench));
  afterEach(() => expect(bench.leftovers()).toEqual([]));

  test('applies files, deletions, permissions, links and renamed directories', {timeout: timeoutMs}, async () => {
    const script =
      'echo x >> docs/a.md; rm docs/b.md; chmod 600 docs/deep/c.md; printf new > "docs/é new.md"; ln -s a.md docs/link; ' +
      'mkdir docs/made; mv docs/deep/er docs/made/er; sh -c "umask 022; printf tool > docs/made/run.sh; chmod 755 docs/made/run.sh"';
    const outcome = await bench.call(script, 'docs/**');
    expect(outcome.output).toMatchObject({success: true});
    expect(bench.tree()).toEqual({
      'docs/': '755',
      'docs/a.md': '644 a\r\nx\n',
      'docs/deep/': '755',
      'docs/deep/c.md': '600 c',
      'docs/é new.md': '644 new',
      'docs/link': '-> a.md',
      'docs/made/': '755',
      'docs/made/er/': '755',
      'docs/made/er/d.md': '644 d',
      'docs/made/run.sh': '755 tool',
      'other.txt': '644 other',
      '.npmrc': '644 trusted',
    });
    expect(outcome.changes?.state).toBe('applied');
  });

  test.each([
    ['.env', 'echo SECRET=1 > docs/.env', ['docs/**'], 'docs/.env'],
    ['a symlink that leaves the tree', 'ln -s /etc docs/out', ['docs/**'], 'docs/out'],
    ['a path that a deny overlay cuts', 'mkdir cut; echo x > cut/a', ['**'], 'cut'],
  ])('discards everything for %s', {timeout: timeoutMs}, async (_what, script, patterns, path) => {
    const before = bench.tree();
    const outcome = await bench.call(`echo innocent > docs/a.md; ${script}`, ...patterns);
    expect(outcome.output.error).toMatchObject({code: 'SCOPE_DENIED', details: {path}});
    expect(bench.tree()).toEqual(before);
  });

  test('reports a conflict, and keeps what others wrote', {timeout: timeoutMs}, async () => {
    const outcome = await bench.run({
      handler: 'shellAmongOthers',
      input: {script: 'echo mine > docs/a.md'},
      patterns: ['docs/**'],
      others: () => writeFileSync(join(bench.root, 'docs/a.md'), 'theirs'),
    });
    expect(outcome).toMatchObject({changes: {state: 'conflict'}, conflicts: ['docs/a.md']});
    expect(readFileSync(join(bench.root, 'docs/a.md'), 'utf8')).toBe('theirs');
  });

  test("the context's fs and plain files see each other's writes", {timeout: timeoutMs}, async () => {
    const {output} = await bench.run({handler: 'bothWays', input: {}, patterns: ['docs/**']});
    expect(output).toMatchObject({success: true, data: {seenInside: 'brokered', seenByHost: 'plain'}});
    expect(bench.tree()).toMatchObject({'docs/brokered.md': '644 brokered', 'docs/plain.md': '644 plain'});
  });

  test('refuses direct writes, and says why', {timeout: timeoutMs}, async () => {
    const {output} = await bench.run({input: {script: 'echo x > docs/a.md'}, patterns: ['docs/**'], writes: 'direct'});
    expect(output.error).toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining('direct writes'),
    });
    expect(readFileSync(join(bench.root, 'docs/a.md'), 'utf8')).toBe('a\r\n');
  });
});
