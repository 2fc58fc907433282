import {symlink, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {gitAdd} from './add.ts';
import {gitCommit} from './commit.ts';
import {config, createRepository} from './git-repository.fixture.ts';

describe('git:add', () => {
  it('matches paths literally and stages deletions', async () => {
    const workspace = await createRepository();
    const context = workspace.context(config);
    await workspace.put('*.txt', 'star');
    await workspace.put('b.txt', 'b');
    await workspace.put('gone', 'x');
    expect(await gitAdd.run({paths: ['./*.txt', 'gone']}, context)).toMatchObject({
      staged: [
        {path: '*.txt', status: 'added'},
        {path: 'gone', status: 'added'},
      ],
    });
    expect(await gitAdd.run({paths: ['.'], dry_run: true}, context)).toMatchObject({
      staged: [{path: '*.txt'}, {path: 'b.txt'}, {path: 'gone'}],
    });
    await gitCommit.run({message: 'one'}, context);
    await unlink(join(workspace.root, 'gone'));
    expect(await gitAdd.run({paths: ['gone']}, context)).toMatchObject({staged: [{path: 'gone', status: 'deleted'}]});
  });

  it('reports with dry_run what it would stage, and stages nothing', async () => {
    const workspace = await createRepository();
    await workspace.put('a', 'a');
    expect(await gitAdd.run({paths: ['a'], dry_run: true}, workspace.context({}))).toMatchObject({
      staged: [{path: 'a', status: 'added'}],
      dry_run: true,
    });
    expect(await workspace.git('status', '--porcelain')).toBe('?? a\n');
  });

  it('never stages the runtime’s state, ignored or not', async () => {
    const workspace = await createRepository();
    await workspace.put('.lumenflow/kernel/x', 'x');
    await workspace.put('a', 'a');
    expect(await gitAdd.run({all: true}, workspace.context({}))).toMatchObject({staged: [{path: 'a'}]});
    for (const ignored of ['/.lumenflow/\n', '.lumenflow/kernel\n', '.lumenflow\n']) {
      await workspace.put('.gitignore', ignored);
      expect(await gitAdd.run({all: true}, workspace.context({}))).toMatchObject({
        staged: [{path: '.gitignore'}, {path: 'a'}],
      });
    }
  });

  it('reports what is wrong with a path', async () => {
    const workspace = await createRepository();
    const context = workspace.context({});
    await workspace.put('.gitignore', 'ignored\n');
    await workspace.put('ignored', 'x');
    await workspace.put('dir/x', 'x');
    await symlink('dir', join(workspace.root, 'link'));
    await expect(gitAdd.run({paths: ['none']}, context)).rejects.toMatchObject({code: 'NOT_FOUND'});
    await expect(gitAdd.run({paths: ['ignored']}, context)).rejects.toMatchObject({code: 'PATH_IGNORED'});
    await expect(gitAdd.run({paths: ['../../x']}, context)).rejects.toMatchObject({code: 'INVALID_PATH'});
    await expect(gitAdd.run({paths: ['link/x']}, context)).rejects.toMatchObject({code: 'INVALID_PATH'});
    await workspace.put('.git/index.lock', '');
    await expect(gitAdd.run({paths: ['dir']}, context)).rejects.toMatchObject({
      code: 'REPOSITORY_LOCKED',
      details: {retryable: true},
    });
  });
});

describe('git:commit', () => {
  it('commits with the author from the config or from the call', async () => {
    const workspace = await createRepository();
    const context = workspace.context(config);
    await workspace.put('a', 'a\n');
    await gitAdd.run({all: true}, context);
    expect(await gitCommit.run({message: 'dry', dry_run: true}, context)).toEqual({
      branch: 'main',
      files: [{path: 'a', status: 'added', additions: 1, deletions: 0}],
      root: '.',
      dry_run: true,
    });
    const other = {name: 'Bob', email: 'bob@example.org'};
    const output = await gitCommit.run({message: '-m "quoted"\n\nbody', author: other}, context);
    expect(output).toMatchObject({
      branch: 'main',
      commit: {summary: '-m "quoted"', body: 'body', author: other, committer: other, parents: []},
    });
    expect('commit' in output && output.commit?.sha).toBe((await workspace.git('rev-parse', 'HEAD')).trim());
  });

  it('uses the repository’s user, and fails without an author', async () => {
    const workspace = await createRepository();
    const context = workspace.context(undefined);
    await workspace.put('a', 'a');
    await gitAdd.run({all: true}, context);
    await expect(gitCommit.run({message: 'x'}, context)).rejects.toMatchObject({code: 'IDENTITY_MISSING'});
    await workspace.git('config', 'user.name', 'Carl');
    await workspace.git('config', 'user.email', 'carl@example.org');
    await workspace.git('checkout', '--quiet', '--orphan', 'topic');
    expect(await gitCommit.run({message: 'x'}, context)).toMatchObject({
      branch: 'topic',
      commit: {author: {name: 'Carl', email: 'carl@example.org'}},
    });
    await workspace.git('checkout', '--quiet', '--detach');
    expect(await gitCommit.run({message: 'empty', allow_empty: true}, context)).toMatchObject({
      branch: null,
      files: [],
    });
  });

  it('rejects an empty commit and an empty message', async () => {
    const workspace = await createRepository();
    const context = workspace.context(config);
    await expect(gitCommit.run({message: 'x'}, context)).rejects.toMatchObject({code: 'NOTHING_TO_COMMIT'});
    await expect(gitCommit.run({message: ' \n'}, context)).rejects.toMatchObject({code: 'INVALID_INPUT'});
  });
});
