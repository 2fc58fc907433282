import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {fillWorkspace, openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';

const mebibyte = 1024 * 1024;
// The size of one file has its own limit, which is not tested here.
const limits = {write_bytes: 4 * mebibyte, write_files: 100, file_size_bytes: 2 ** 42};

let bench: TransactionBench;
beforeAll(() => {
  bench = openTransactionBench();
});
afterAll(async () => await bench.close());
beforeEach(() => {
  fillWorkspace(bench);
  writeFileSync(join(bench.root, 'docs/large'), Buffer.alloc(8 * mebibyte, 'x'));
});
afterEach(() => expect(bench.leftovers()).toEqual([]));

const call = (script: string): ReturnType<TransactionBench['run']> =>
  bench.run({input: {script}, patterns: ['docs/**'], declared: {limits}});

describe('a call that exceeds its limits is discarded, and the error names the limit', () => {
  test.each([
    ['bytes', 'head -c 20000000 /dev/zero > docs/big', 'write_bytes'],
    ['bytes that the handler does not miss', 'head -c 20000000 /dev/zero > docs/big; true', 'write_bytes'],
    ['bytes of a hole', 'truncate -s 1T docs/hole', 'write_bytes'],
    ['bytes in place', 'head -c 5000000 /dev/zero | dd of=docs/large conv=notrunc bs=1M', 'write_bytes'],
    ['files', 'i=0; while [ $i -lt 200 ]; do : > docs/f$i || exit 1; i=$((i+1)); done', 'write_files'],
  ])('%s', async (_what, script, limit) => {
    const before = bench.tree();
    const {output} = await call(script);
    expect(output.error).toMatchObject({code: 'LIMIT_EXCEEDED', details: {limit}});
    expect(output.error?.message).toContain(limit);
    expect(bench.tree()).toEqual(before);
  });

  test('while it still runs', async () => {
    const {output} = await call('head -c 64M /dev/urandom > docs/big; sleep 3600');
    expect(output.error).toMatchObject({code: 'LIMIT_EXCEEDED', details: {limit: 'write_bytes'}});
  });
});

describe('only written bytes count', () => {
  test.each([
    ['an appended byte', 'echo x >> docs/large'],
    ['permissions', 'chmod 600 docs/large'],
    ['an opened file', ': >> docs/large; touch docs/large'],
    ['the same content', 'cp docs/large /tmp/large; cat /tmp/large > docs/large'],
    ['second names', 'head -c 3000000 /dev/zero > docs/one; for i in 1 2 3; do ln docs/one docs/more$i; done'],
  ])('%s', async (_what, script) => {
    const {output} = await call(script);
    expect(output).toMatchObject({success: true});
  });

  test('a deleted tree counts once, as do files deleted one by one from a folder', async () => {
    for (const folder of ['docs/many', 'docs/emptied']) {
      mkdirSync(join(bench.root, folder));
      for (let i = 0; i < 300; i++) writeFileSync(join(bench.root, folder, String(i)), '');
    }
    const {output} = await call('rm -r docs/many; find docs/emptied -type f -delete');
    expect(output).toMatchObject({success: true});
    expect(existsSync(join(bench.root, 'docs/many'))).toBe(false);
    expect(readdirSync(join(bench.root, 'docs/emptied'))).toEqual([]);
  });
});

test("writes are stored on the workspace's disk, in a folder that only the host can access", async () => {
  const seen: unknown[] = [];
  const {output, enforcement} = await bench.run({
    handler: 'shellAmongOthers',
    input: {script: 'echo new > docs/new; ls -A'},
    patterns: ['**'],
    others: () => {
      const all = join(bench.root, '.lumenflow/transactions');
      for (const name of readdirSync(all)) {
        seen.push(statSync(join(all, name)).mode & 0o777, readFileSync(join(all, name, 'up/docs/new'), 'utf8'));
      }
    },
  });
  expect(output).toMatchObject({success: true});
  expect(seen).toEqual([0o700, 'new\n']);
  expect(enforcement?.degraded ?? []).not.toContainEqual(expect.stringContaining('writes:'));
});

test('the call itself cannot reach the directory of its writes', async () => {
  const {output} = await call('cat .lumenflow/transactions/*/up/docs/a.md; ls .lumenflow/transactions; true');
  expect(JSON.stringify(output.data)).toContain('"said":""');
});
