// A sandbox that does not start at first: the call gets a new view, and its receipt says why.
import {chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {fillWorkspace, openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';

let folder: string;
let bench: TransactionBench;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'failed-starts-')));
  mkdirSync(join(folder, 'failures'));
  const program = join(folder, 'bwrap');
  // Each file in the folder is an error message for one start of a runner.
  writeFileSync(
    program,
    `#!/bin/sh
case "$*" in *runner.cjs*)
  for failure in ${folder}/failures/*; do
    [ -f "$failure" ] && { cat "$failure" >&2; rm "$failure"; exit 1; }
  done
esac
exec /usr/bin/bwrap "$@"
`,
  );
  chmodSync(program, 0o755);
});
afterAll(() => rmSync(folder, {recursive: true}));
beforeEach(async () => {
  bench = openTransactionBench(undefined, {searchPath: `${folder}:/usr/bin:/bin`});
  fillWorkspace(bench);
  // The self-test is a start too, before the first call.
  await bench.call('true');
});
afterEach(() => bench.close());

function failNext(...messages: readonly string[]): void {
  for (const [index, message] of messages.entries()) writeFileSync(join(folder, 'failures', `${index}`), message);
}

const unknown = 'bwrap: the first attempt fails';
const replaced = "bwrap: Can't find source path /w: No such file or directory";

test.each([
  ['once for an unknown reason', [unknown]],
  ['more than once while others change files', [replaced, replaced]],
])('a start that fails %s is repeated, and the receipt says so', async (_when, messages) => {
  failNext(...messages);
  const {output, enforcement, changes} = await bench.run({handler: 'bothWays', input: {}});
  expect(output).toMatchObject({success: true, data: {seenInside: 'brokered', seenByHost: 'plain'}});
  expect(changes).toMatchObject({state: 'applied'});
  expect(enforcement?.failed_starts).toEqual(messages.map((message) => expect.stringContaining(message)));
  expect(bench.leftovers()).toEqual([]);
});

test('a call whose first start succeeds has no failed starts', async () => {
  expect((await bench.call('true')).enforcement).not.toHaveProperty('failed_starts');
});

test('a start that fails again for an unknown reason is a failure of the call', async () => {
  failNext(unknown, unknown);
  const {output, enforcement} = await bench.call('echo new > docs/a.md');
  expect(output.error).toMatchObject({code: 'SANDBOX_UNAVAILABLE', message: expect.stringContaining(unknown)});
  expect(output.error?.details).not.toHaveProperty('retryable');
  expect(enforcement).toMatchObject({tier: 'none', failed_starts: [expect.stringContaining(unknown)]});
  expect(bench.leftovers()).toEqual([]);
});
