// A workspace that is a person's home, or whose state folder was put into it: the key of this user's notes lies within a grant.
import {lstatSync, mkdirSync, mkdtempSync, realpathSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {openHeldWritesBench, type HeldWritesBench} from './held-writes.fixture.ts';

let bench: HeldWritesBench;
beforeEach(() => {
  const root = join(realpathSync(mkdtempSync(join(tmpdir(), 'state-in-'))), 'home');
  mkdirSync(root);
  bench = openHeldWritesBench(root, {stateFolder: join(root, 'any/state')});
});
afterEach(async () => await bench.close());

test.each(['direct', 'transactional'] as const)('a first %s call neither sees nor replaces the key', async (writes) => {
  const script = 'echo mine > f; cat any/state/* && echo seen; echo forged > any/state/journal.key; true';
  const {output} = await bench.run({input: {script}, writes});
  expect(output).toEqual({success: true, data: {said: ''}});
  expect(lstatSync(join(bench.root, 'any/state/journal.key')).size).toBe(32);
  expect((await bench.run({input: {script: 'cat f'}, writes})).output).toEqual({success: true, data: {said: 'mine\n'}});
});
