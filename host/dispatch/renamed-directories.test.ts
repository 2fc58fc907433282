import {chownSync, lstatSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {fillWorkspace, openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';

// As root, views are mounted with the host's privileges.
describe.runIf(process.getuid?.() === 0)('transactional calls of root', () => {
  let bench: TransactionBench;
  beforeAll(() => {
    bench = openTransactionBench();
  });
  afterAll(async () => await bench.close());
  beforeEach(() => fillWorkspace(bench));
  afterEach(() => expect(bench.leftovers()).toEqual([]));

  const rename = (from: string, to: string): string => `perl -e 'rename("${from}", "${to}") or die "$!\\n"'`;
  const deep = {'deep/': '755', 'deep/c.md': '644 c', 'deep/er/': '755', 'deep/er/d.md': '644 d'};
  const under = (path: string, tree: Readonly<Record<string, string>> = deep): Record<string, string> =>
    Object.fromEntries(Object.entries(tree).map(([name, entry]) => [name.replace('deep', path), entry]));
  const rest = {
    'docs/': '755',
    'docs/a.md': '644 a\r\n',
    'docs/b.md': '644 b',
    'other.txt': '644 other',
    '.npmrc': '644 trusted',
  };

  test.each<readonly [string, string, Readonly<Record<string, string>>]>([
    ['renamed', rename('docs/deep', 'docs/moved'), under('docs/moved')],
    [
      'renamed and changed',
      `${rename('docs/deep', 'docs/moved')}; echo x >> docs/moved/er/d.md; rm docs/moved/c.md; echo n > docs/moved/n`,
      {'docs/moved/': '755', 'docs/moved/er/': '755', 'docs/moved/er/d.md': '644 dx\n', 'docs/moved/n': '644 n\n'},
    ],
    [
      'renamed there and back',
      `${rename('docs/deep', 'docs/x')}; ${rename('docs/x', 'docs/deep')}`,
      under('docs/deep'),
    ],
    [
      'put in place of another',
      `mkdir docs/new; ${rename('docs/deep/er', 'docs/new/er')}; rm -r docs/deep; ${rename('docs/new', 'docs/deep')}`,
      {'docs/deep/': '755', 'docs/deep/er/': '755', 'docs/deep/er/d.md': '644 d'},
    ],
    [
      'exchanged with a child',
      `${rename('docs/deep/er', 'docs/x')}; ${rename('docs/deep', 'docs/x/deep')}; ${rename('docs/x', 'docs/deep')}`,
      {'docs/deep/': '755', 'docs/deep/d.md': '644 d', 'docs/deep/deep/': '755', 'docs/deep/deep/c.md': '644 c'},
    ],
  ])('a directory that existed can be %s', async (_what, script, tree) => {
    const {output} = await bench.call(script, 'docs/**');
    expect(output).toMatchObject({success: true});
    expect(bench.tree()).toEqual({...rest, ...tree});
  });

  test('a failed call leaves the directory in place', async () => {
    const before = bench.tree();
    await bench.call(`${rename('docs/deep', 'docs/moved')}; exit 1`, 'docs/**');
    expect(bench.tree()).toEqual(before);
  });

  test('processes of the call have no capabilities', async () => {
    const {output} = await bench.call(
      'grep -E "^Cap(Inh|Prm|Eff|Bnd|Amb)" /proc/self/status; umount . && echo unmounted; true',
    );
    const {said} = output.data as {said: string};
    expect(said.match(/0000000000000000/gu)).toHaveLength(5);
    expect(said).not.toContain('unmounted');
  });

  test('files of other owners keep their owner, and directories pass on their group', async () => {
    const team = join(bench.root, 'docs/team');
    mkdirSync(team);
    writeFileSync(join(team, 'f'), 'theirs', {mode: 0o666});
    chownSync(team, 1234, 4242);
    chownSync(join(team, 'f'), 1234, 4242);
    chownSync(bench.root, 1234, 4242);
    const {output} = await bench.run({input: {script: 'chmod 2777 docs; echo x > docs/n'}});
    expect(output).toMatchObject({success: true});
    const {uid, gid} = lstatSync(join(team, 'f'));
    expect([uid, gid]).toEqual([1234, 4242]);
  });
});
