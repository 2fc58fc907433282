import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {fillWorkspace, openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';

let bench: TransactionBench;
beforeAll(() => {
  bench = openTransactionBench();
});
afterAll(async () => await bench.close());
beforeEach(() => fillWorkspace(bench));
afterEach(() => expect(bench.leftovers()).toEqual([]));

describe('limited to the exact patterns', () => {
  test.each([
    ['.env', 'echo SECRET=1 > docs/.env', 'docs/.env'],
    ['a trusted file', 'echo x > .mcp.json', '.mcp.json'],
    [
      'hooks of a repository made on the way',
      'mkdir -p docs/x/.git/hooks; echo x > docs/x/.git/hooks/post-checkout',
      'docs/x/.git',
    ],
    ['the state of a workspace within', 'mkdir -p sub/.lumenflow/transactions', 'sub/.lumenflow'],
    ['husky', 'mkdir .husky; echo x > .husky/pre-commit', '.husky'],
    ['a path that a deny overlay cuts', 'mkdir cut; echo x > cut/a', 'cut'],
  ])('%s is not to be had: all is discarded, naming it', async (_what, script, path) => {
    const before = bench.tree();
    const outcome = await bench.call(`echo innocent > docs/a.md; ${script}`);
    expect(outcome.output.error).toMatchObject({code: 'SCOPE_DENIED', details: {path}});
    expect(outcome.output.error?.message).toContain(path);
    expect(outcome.changes?.state).toBe('discarded');
    expect(bench.tree()).toEqual(before);
  });

  test('a trusted file that a scope names is written', async () => {
    const {output} = await bench.call('echo x > .npmrc', '.npmrc');
    expect(output).toMatchObject({success: true});
    expect(bench.tree()).toMatchObject({'.npmrc': '644 x\n'});
  });

  test.each([
    ['a symlink that leaves the tree', 'ln -s /etc docs/out', 'docs/out'],
    ['a relative one', 'ln -s ../../../../etc docs/out', 'docs/out'],
    ['one that leaves by another', 'ln -s .. docs/up; ln -s up/../../x docs/out', 'docs/out'],
    ['a FIFO', 'mkfifo docs/pipe', 'docs/pipe'],
  ])('%s is discarded with all the rest', async (_what, script, path) => {
    const before = bench.tree();
    const {output} = await bench.call(`echo innocent > docs/a.md; ${script}`, 'docs/**');
    expect(output.error).toMatchObject({code: 'SCOPE_DENIED', details: {path}});
    expect(bench.tree()).toEqual(before);
  });

  test('a name that is not UTF-8 is discarded', async () => {
    const before = bench.tree();
    const {output} = await bench.call('echo x > "docs/$(printf \'\\377\')"', 'docs/**');
    expect(output.error).toMatchObject({code: 'SCOPE_DENIED'});
    expect(bench.tree()).toEqual(before);
  });
});
