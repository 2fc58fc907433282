import {chmod, mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {gitBranch} from './branch.ts';
import {commitAll, config, createRepository} from './git-repository.fixture.ts';
import {gitPush} from './push.ts';
import {gitShow} from './show.ts';

describe('git:branch', () => {
  it('lists branches with their upstreams and worktrees', async () => {
    const workspace = await createRepository();
    const context = workspace.context(config);
    expect(await gitBranch.run({}, context)).toEqual({branches: [], truncated: false});
    await workspace.put('a', 'a\n');
    const head = await commitAll(workspace, 'größer');
    await workspace.git('branch', 'lane/core/wu-1');
    await workspace.git('branch', 'lane/core/wu-2');
    await workspace.git('worktree', 'add', '--quiet', 'worktrees/wu-2', 'lane/core/wu-2');
    await workspace.git('branch', '--set-upstream-to=main', 'lane/core/wu-1');
    await workspace.put('a', 'b\n');
    await commitAll(workspace, 'second');
    expect(await gitBranch.run({under: 'lane/core'}, context)).toMatchObject({
      branches: [
        {
          name: 'lane/core/wu-1',
          head,
          current: false,
          summary: 'größer',
          upstream: {name: 'main', ahead: 0, behind: 1},
        },
        {name: 'lane/core/wu-2', head, worktree: 'worktrees/wu-2'},
      ],
      truncated: false,
    });
    expect(await gitBranch.run({max_entries: 1}, context)).toMatchObject({
      branches: [{name: 'lane/core/wu-1'}],
      truncated: true,
    });
    expect(await gitBranch.run({under: 'lan'}, context)).toEqual({branches: [], truncated: false});
  });
});

describe('git:show', () => {
  it('shows a commit with its changes, also the first one, and a merge compared with its first parent', async () => {
    const workspace = await createRepository();
    const context = workspace.context(config);
    await workspace.put('ü.txt', 'one\n');
    const first = await commitAll(workspace, 'first\n\nbody');
    expect(await gitShow.run({}, context)).toMatchObject({
      commit: {sha: first, summary: 'first', body: 'body'},
      files: [{path: 'ü.txt', status: 'added', additions: 1}],
      patch: expect.stringContaining('+one'),
      truncated: false,
    });
    await workspace.git('checkout', '--quiet', '-b', 'topic');
    await workspace.put('topic', 'x\n');
    await commitAll(workspace, 'topic');
    await workspace.git('checkout', '--quiet', 'main');
    await workspace.put('main', 'x\n');
    await commitAll(workspace, 'main');
    await workspace.git('-c', 'user.name=A', '-c', 'user.email=a@b', 'merge', '--quiet', '--no-edit', 'topic');
    expect(await gitShow.run({patch: false}, context)).toMatchObject({files: [{path: 'topic', status: 'added'}]});
    expect(await gitShow.run({revision: 'topic', max_bytes: 10}, context)).toMatchObject({truncated: true});
    await expect(gitShow.run({revision: 'none'}, context)).rejects.toMatchObject({code: 'UNKNOWN_REVISION'});
  });

  it('shows a file as of a commit', async () => {
    const workspace = await createRepository();
    const context = workspace.context(config);
    await workspace.put('dir/ü.txt', 'öne\r\n');
    await workspace.put('binary', new Uint8Array([0, 1]));
    const first = await commitAll(workspace, 'first');
    await workspace.put('dir/ü.txt', 'two\n');
    const file = {revision: first, path: 'dir/ü.txt'};
    expect(await gitShow.run(file, context)).toMatchObject({
      commit: {sha: first},
      content: 'öne\r\n',
      truncated: false,
    });
    expect(await gitShow.run({...file, max_bytes: 2}, context)).toMatchObject({content: 'ö', truncated: true});
    for (const path of ['none', 'dir']) {
      await expect(gitShow.run({path}, context)).rejects.toMatchObject({code: 'NOT_FOUND'});
    }
    await expect(gitShow.run({path: 'binary'}, context)).rejects.toMatchObject({code: 'NOT_TEXT'});
    await expect(gitShow.run({path: '../x'}, context)).rejects.toMatchObject({code: 'INVALID_PATH'});
  });
});

describe('git:push', () => {
  it('fails with a clear message without a remote', async () => {
    const workspace = await createRepository();
    await workspace.put('a', 'a\n');
    await commitAll(workspace, 'first');
    await expect(gitPush.run({}, workspace.context(config))).rejects.toMatchObject({
      code: 'NO_REMOTE',
      message: expect.stringContaining('the repository has none'),
    });
  });

  it('pushes forward only, without hooks', async () => {
    const workspace = await createRepository();
    const context = workspace.context(config);
    await mkdir(join(workspace.root, 'remote ü.git'));
    await workspace.git('init', '--quiet', '--bare', '--initial-branch=main', 'remote ü.git');
    await workspace.put('.git/hooks/pre-push', '#!/bin/sh\nexit 1\n');
    await chmod(join(workspace.root, '.git/hooks/pre-push'), 0o755);
    await workspace.git('remote', 'add', 'origin', join(workspace.root, 'remote ü.git'));
    await workspace.put('.gitignore', 'remote*\n');
    const first = await commitAll(workspace, 'first');
    const there = async (): Promise<string> => (await workspace.git('-C', 'remote ü.git', 'rev-parse', 'main')).trim();
    expect(await gitPush.run({dry_run: true}, context)).toMatchObject({state: 'created', dry_run: true});
    expect(await gitPush.run({}, context)).toEqual({
      remote: 'origin',
      branch: 'main',
      commit: first,
      state: 'created',
      dry_run: false,
    });
    expect(await there()).toBe(first);
    expect(await gitPush.run({}, context)).toMatchObject({state: 'up_to_date'});
    await workspace.put('a', 'a\n');
    const second = await commitAll(workspace, 'second');
    expect(await gitPush.run({branch: 'main'}, context)).toMatchObject({state: 'updated', commit: second});
    await workspace.git('reset', '--quiet', '--hard', first);
    await workspace.put('b', 'b\n');
    await commitAll(workspace, 'other');
    await expect(gitPush.run({}, context)).rejects.toMatchObject({code: 'PUSH_REJECTED'});
    expect(await there()).toBe(second);
    await expect(gitPush.run({branch: 'none'}, context)).rejects.toMatchObject({code: 'UNKNOWN_REVISION'});
    await workspace.git('remote', 'set-url', 'origin', join(workspace.root, 'nowhere'));
    await expect(gitPush.run({}, context)).rejects.toMatchObject({code: 'REMOTE_UNREACHABLE'});
  });
});
