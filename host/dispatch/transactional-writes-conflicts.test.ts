import {readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {fillWorkspace, openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';

type Outcome = Awaited<ReturnType<TransactionBench['run']>>;

let bench: TransactionBench;
beforeAll(() => {
  bench = openTransactionBench();
});
afterAll(async () => await bench.close());
beforeEach(() => fillWorkspace(bench));
afterEach(() => expect(bench.leftovers()).toEqual([]));

function write(path: string, content: string): void {
  writeFileSync(join(bench.root, path), content);
}

describe('concurrent changes by others', () => {
  /** Changes something after the script has run and before the call ends. */
  function meanwhile(script: string, change: () => void): Promise<Outcome> {
    return bench.run({handler: 'shellAmongOthers', input: {script}, patterns: ['docs/**'], others: change});
  }

  /** Runs the scripts as concurrent calls; no call ends before all scripts have run. */
  async function atOnce(scripts: readonly string[]): Promise<readonly Outcome[]> {
    let running = scripts.length;
    let open = (): void => {};
    const all = new Promise<void>((resolve) => (open = resolve));
    const others = async (): Promise<void> => {
      running -= 1;
      if (running === 0) open();
      await all;
    };
    return await Promise.all(
      scripts.map((script) => bench.run({handler: 'shellAmongOthers', input: {script}, patterns: ['docs/**'], others})),
    );
  }

  test.each([
    ['a changed file', 'echo mine > docs/a.md', () => write('docs/a.md', 'theirs'), 'docs/a.md'],
    ['a changed file that is deleted here', 'rm docs/a.md', () => write('docs/a.md', 'theirs'), 'docs/a.md'],
    ['a deleted file', 'echo mine >> docs/a.md', () => rmSync(join(bench.root, 'docs/a.md')), 'docs/a.md'],
    ['a file made by both', 'echo mine > docs/new.md', () => write('docs/new.md', 'theirs'), 'docs/new.md'],
    [
      'a file put into a directory that is removed here',
      'rm -r docs/deep',
      () => write('docs/deep/theirs', 'x'),
      'docs/deep',
    ],
    [
      'a directory replaced by a symlink',
      'echo mine > docs/deep/c.md',
      () => {
        rmSync(join(bench.root, 'docs/deep'), {recursive: true});
        symlinkSync('/etc', join(bench.root, 'docs/deep'));
      },
      'docs/deep',
    ],
  ])('%s: the call is discarded, naming it', async (_what, script, change, path) => {
    let theirs: unknown;
    const {conflicts, changes} = await meanwhile(script, () => {
      change();
      theirs = bench.tree();
    });
    expect(changes?.state).toBe('conflict');
    expect(conflicts?.some((conflict) => conflict === path || conflict.startsWith(`${path}/`))).toBe(true);
    expect(bench.tree()).toEqual(theirs);
  });

  test('changes to paths that the call does not touch are allowed', async () => {
    const {output} = await meanwhile('echo mine > docs/a.md', () => write('docs/b.md', 'theirs'));
    expect(output).toMatchObject({success: true});
    expect(bench.tree()).toMatchObject({'docs/a.md': '644 mine\n', 'docs/b.md': '644 theirs'});
  });

  test('a file touched right before the call is not a conflict', async () => {
    for (let i = 0; i < 5; i++) {
      write('docs/a.md', `round ${i}`);
      utimesSync(join(bench.root, 'docs/a.md'), 0, 0);
      const {output} = await bench.call('echo mine > docs/a.md', 'docs/**');
      expect(output).toMatchObject({success: true});
    }
  });

  test('exactly one of several concurrent calls on the same path wins', async () => {
    const outcomes = await atOnce(['1', '2', '3'].map((n) => `echo ${n} > docs/a.md; echo ${n} > docs/own${n}`));
    const winners = outcomes.flatMap(({changes}, index) => (changes?.state === 'applied' ? [index + 1] : []));
    expect(winners).toHaveLength(1);
    expect(outcomes.filter(({changes}) => changes?.state === 'conflict')).toHaveLength(2);
    expect(readFileSync(join(bench.root, 'docs/a.md'), 'utf8')).toBe(`${winners[0]}\n`);
  });

  test('concurrent calls on different paths all win', async () => {
    const outcomes = await atOnce(['1', '2', '3'].map((n) => `echo ${n} > docs/own${n}`));
    expect(outcomes.map(({changes}) => changes?.state)).toEqual(['applied', 'applied', 'applied']);
  });
});
