// A workspace that is the user's home or contains the state folder: the key that signs recovery notes is within a grant.
import {lstatSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';

let bench: TransactionBench;
/** Opens the bench with the home as the environment names it: by its real path, or through a symlink. */
function open(spelled: string, state = 'any/state'): void {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'state-in-')));
  const root = join(base, 'home');
  mkdirSync(join(root, '.ssh'), {recursive: true});
  writeFileSync(join(root, '.ssh/id'), 'secret');
  symlinkSync('home', join(base, 'alias'));
  bench = openTransactionBench(root, {home: join(base, spelled), stateFolder: join(base, spelled, state)});
}
afterEach(async () => await bench.close());

test.each([
  ['direct', 'home'],
  ['transactional', 'home'],
  ['direct', 'alias'],
  ['transactional', 'alias'],
] as const)('a first %s call neither sees nor replaces the key, in a home spelled %s', async (writes, spelled) => {
  open(spelled);
  const script = 'echo mine > f; cat any/state/* .ssh/id && echo seen; echo forged > any/state/journal.key; true';
  const {output} = await bench.run({input: {script}, writes});
  expect(output).toEqual({success: true, data: {said: ''}});
  expect(lstatSync(join(bench.root, 'any/state/journal.key')).size).toBe(32);
  expect((await bench.run({input: {script: 'cat f'}, writes})).output).toEqual({success: true, data: {said: 'mine\n'}});
});

test.each([
  ['direct', 'a*y/[st]?te'],
  ['transactional', 'a*y/[st]?te'],
  ['direct', '{any,other}/state**'],
  ['transactional', '{any,other}/state**'],
] as const)(
  'a %s call neither sees nor replaces the key in `%s`, which is a path and no pattern',
  async (writes, state) => {
    open('home', state);
    const script = `cat '${state}'/* && echo seen; echo forged > '${state}/journal.key'; true`;
    expect((await bench.run({input: {script}, writes})).output).toEqual({success: true, data: {said: ''}});
    expect(lstatSync(join(bench.root, state, 'journal.key')).size).toBe(32);
    const others = 'mkdir -p any/state a/y; echo mine > any/state/f; cat any/state/f';
    expect((await bench.run({input: {script: others}, writes})).output).toEqual({
      success: true,
      data: {said: 'mine\n'},
    });
  },
);
