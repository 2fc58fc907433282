import {chownSync} from 'node:fs';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {fillWorkspace, openHeldWritesBench, type HeldWritesBench} from './held-writes.fixture.ts';

// Only root can give a workspace to somebody else, whose files no overlay of a user namespace can hold.
const isRoot = process.getuid?.() === 0;

let bench: HeldWritesBench;
beforeAll(() => {
  bench = openHeldWritesBench();
});
afterAll(async () => await bench.close());
beforeEach(() => {
  fillWorkspace(bench);
  if (isRoot) chownSync(bench.root, 65534, 65534);
});
afterEach(() => expect(bench.leftovers()).toEqual([]));

test.runIf(isRoot)('where no overlay is to be had a copy holds the writes, and the receipt says so', async () => {
  const outcome = await bench.call(
    'echo x >> docs/a.md; rm -r docs/deep; mkdir docs/new; echo 1 > docs/new/n',
    'docs/**',
  );
  expect(outcome.output).toMatchObject({success: true});
  expect(outcome.enforcement?.degraded?.join()).toContain('kept in a copy');
  expect(outcome.changes?.state).toBe('applied');
  expect(outcome.changes?.entries).toHaveLength(7);
  expect(bench.tree()).toMatchObject({'docs/a.md': '644 a\r\nx\n', 'docs/new/n': '644 1\n'});
  expect(bench.tree()).not.toHaveProperty(['docs/deep/']);
});

test.runIf(isRoot)('a copy is discarded as an overlay is', async () => {
  const before = bench.tree();
  const failed = await bench.call('echo x > docs/a.md; exit 1', 'docs/**');
  const denied = await bench.call('echo x > docs/a.md; echo y > docs/.env', 'docs/**');
  expect([failed, denied].map(({output}) => output.error?.code)).toEqual(['SCRIPT_FAILED', 'SCOPE_DENIED']);
  expect(bench.tree()).toEqual(before);
});

test.runIf(isRoot)("the context's fs works on the copy", async () => {
  const {output} = await bench.run({handler: 'bothWays', input: {}, patterns: ['docs/**']});
  expect(output).toMatchObject({success: true, data: {seenInside: 'brokered', seenByHost: 'plain'}});
});

test.runIf(isRoot)('a call that writes too much to a copy is ended while it runs', async () => {
  const startedMs = performance.now();
  const {output} = await bench.run({
    input: {script: 'head -c 64M /dev/zero > docs/big; sleep 30'},
    declared: {limits: {write_bytes: 4 * 1024 * 1024}},
  });
  expect(output.error).toMatchObject({code: 'LIMIT_EXCEEDED', details: {limit: 'write_bytes'}});
  expect(performance.now() - startedMs).toBeLessThan(20_000);
});
