// The watch ends calls whose writes are hard to measure, too.
import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createWriteBudget} from './write-budget.ts';
import {watchWrites, type WriteWatch} from './watch-writes.ts';
import {pathBytesMax} from './write-limits.ts';

const limits = {bytes: 1024 ** 2, files: 1000};
let base: string;
let touched: string;
let watch: WriteWatch | undefined;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'watch-')));
  touched = join(base, 'up');
  for (const name of ['root', 'up']) mkdirSync(join(base, name));
});
afterEach(() => {
  watch?.stop();
  // Node's own removal fails at paths that are too long.
  execFileSync('chmod', ['-R', 'u+rwx', base]);
  execFileSync('rm', ['-rf', base]);
});

/** Resolves once the call is to end. */
async function limitMetAfter(write: () => void): Promise<unknown> {
  let met = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    met = resolve;
  });
  const budget = createWriteBudget(10 * limits.bytes);
  watch = await watchWrites({root: join(base, 'root'), touched, limits, budget, isOwnFileSystem: false, onLimit: met});
  write();
  await ended;
  return await watch.finish();
}

const deep = 'n=$(printf "n%.0s" {1..250}); for i in {1..20}; do mkdir $n; cd $n; done; echo deep > file';

test('a path that is too long to inspect ends the call', async () => {
  const met = await limitMetAfter(() => {
    execFileSync('bash', ['-euc', deep], {cwd: touched});
    writeFileSync(join(touched, 'large'), Buffer.alloc(8 * limits.bytes, 1));
  });
  expect(met).toEqual({limit: 'path_bytes', bound: pathBytesMax});
});

test.each([0o300, 0o400])('so does what is written into a directory of mode %i', async (mode) => {
  const met = await limitMetAfter(() => {
    mkdirSync(join(touched, 'locked'));
    writeFileSync(join(touched, 'locked/large'), Buffer.alloc(8 * limits.bytes, 1));
    chmodSync(join(touched, 'locked'), mode);
  });
  expect(met).toEqual({limit: 'write_bytes', bound: limits.bytes});
});
