// A hidden file that disappears right before it is hidden: bubblewrap creates an empty file as the mount point. No call created
// it.
import {chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {WarmPoolLimits} from '@lumenflow/sandbox';
import {afterAll, afterEach, beforeAll, expect, test, vi} from 'vitest';
import {fillWorkspace, openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'mount-points-'));
const signals = {armed: join(folder, 'armed'), starting: join(folder, 'starting'), go: join(folder, 'go')};
let bench: TransactionBench;
beforeAll(() => {
  writeFileSync(join(folder, 'bwrap'), bwrap);
  chmodSync(join(folder, 'bwrap'), 0o755);
});
afterEach(async () => {
  await bench.close();
  for (const path of Object.values(signals)) rmSync(path, {force: true});
});
afterAll(() => rmSync(folder, {recursive: true}));

/** Waits for others before it starts bubblewrap once: this extends the interval between check and mount. */
const bwrap = `#!/bin/sh
if rm '${signals.armed}' 2>/dev/null; then
  : > '${signals.starting}'
  while ! [ -e '${signals.go}' ]; do sleep 0.02; done
fi
exec /usr/bin/bwrap "$@"
`;

const appears = async (path: string): Promise<void> => {
  await vi.waitUntil(() => existsSync(path), {timeout: 60_000, interval: 2});
};

function open(name: string, warm: WarmPoolLimits): string {
  bench = openTransactionBench(undefined, {searchPath: `${folder}:/usr/bin:/bin`, warm});
  fillWorkspace(bench);
  writeFileSync(join(bench.root, name), 'SECRET=1');
  return join(bench.root, name);
}

test.each(['.env', '.npmrc'])('a transactional call is not blamed for the mount point of %s', async (name) => {
  const path = open(name, {});
  await bench.call('true');
  writeFileSync(signals.armed, '');
  const calling = bench.call('echo b > docs/b.md');
  await appears(signals.starting);
  rmSync(path);
  writeFileSync(signals.go, '');
  const {output, changes} = await calling;
  expect(output).toMatchObject({success: true});
  expect(changes?.entries.map((entry) => entry.path)).toEqual(['docs/b.md']);
  expect(existsSync(path)).toBe(false);
});

test('a direct call is not blamed for the mount point of a spare that starts at the same time', async () => {
  const path = open('.env', {sparesOfKindMax: 1});
  const direct = async (script: string): Promise<unknown> =>
    (await bench.run({input: {script}, writes: 'direct'})).output;
  expect(await direct('true')).toMatchObject({success: true});
  // Before a spare is started, which happens one turn after the call ends.
  writeFileSync(signals.armed, '');
  await appears(signals.starting);
  rmSync(path);
  const calling = direct('touch begun; while ! [ -e end ]; do sleep 0.01; done');
  await appears(join(bench.root, 'begun'));
  writeFileSync(signals.go, '');
  await appears(path);
  writeFileSync(join(bench.root, 'end'), '');
  expect(await calling).toMatchObject({success: true});
  await vi.waitUntil(() => !existsSync(path), {timeout: 60_000});
});
