// Names that git could read as options, magic pathspecs, wildcards or revisions. The tools treat a path as exactly that path.
import {mkdirSync, unlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {gitAdd} from './add.ts';
import {gitCommit} from './commit.ts';
import {gitDiff} from './diff.ts';
import {commitAll, config, createRepository} from './git-repository.fixture.ts';
import {gitLog} from './log.ts';
import {gitShow} from './show.ts';
import {gitStatus} from './status.ts';

const names = [
  ':(exclude)a',
  ':!a',
  ':^a',
  ':(top)',
  ':',
  '*',
  '[ab]',
  '?',
  '-A',
  '--all',
  '--',
  'HEAD',
  '"quoted"',
  'new\nline',
  ' a ',
  '#a',
  '!a',
  'ü',
];

it.each(names)('%j is staged, shown and committed alone', async (name) => {
  const workspace = await createRepository();
  const context = workspace.context(config);
  await workspace.put('a', 'one\n');
  await workspace.put('dir/b', 'one\n');
  const base = await commitAll(workspace, 'base');
  for (const path of [name, `dir/${name}`, 'a', 'dir/b', 'c']) await workspace.put(path, 'two\n');
  const paths = [name, `dir/${name}`];
  const only = paths.toSorted().map((path) => expect.objectContaining({path}));
  /** Finds an entry of the output's list by path. */
  const listed = (output: object, key: string): unknown =>
    ((output as Readonly<Record<string, readonly {readonly path: string}[]>>)[key] ?? []).toSorted((one, other) =>
      one.path < other.path ? -1 : 1,
    );

  expect(listed(await gitStatus.run({paths}, context), 'entries')).toEqual(only);
  expect(listed(await gitAdd.run({paths}, context), 'staged')).toEqual(only);
  expect(await workspace.git('diff', '--cached', '--name-only', '-z')).toBe(
    paths
      .toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
      .map((path) => `${path}\0`)
      .join(''),
  );
  await gitCommit.run({message: 'two'}, context);
  expect(listed(await gitDiff.run({paths, from: base, to: 'HEAD'}, context), 'files')).toEqual(only);
  expect(await gitLog.run({paths: [name]}, context)).toMatchObject({commits: [{summary: 'two'}]});
  expect(await gitShow.run({path: name}, context)).toMatchObject({content: 'two\n'});
});

it('a hidden file whose name is not UTF-8 is neither staged nor deleted', async () => {
  const workspace = await createRepository();
  await workspace.put('src/a', 'one\n');
  mkdirSync(join(workspace.root, 'secrets'));
  const place = Buffer.concat([Buffer.from(join(workspace.root, 'secrets/*')), Buffer.from([0xff, 0xc3, 0x28])]);
  writeFileSync(place, 'T0P');
  await commitAll(workspace, 'base');
  const context = workspace.context(config, ['src/**', '.git/**']);
  await workspace.put('src/a', 'two\n');
  unlinkSync(place);
  expect(await gitAdd.run({all: true}, context)).toMatchObject({staged: [{path: 'src/a'}]});
  await gitCommit.run({message: 'two'}, context);
  expect(await workspace.git('ls-tree', '-r', '--name-only', 'HEAD')).toContain('secrets/');
  writeFileSync(place, 'other');
  expect(await gitStatus.run({}, context)).toMatchObject({clean: true});
});
