import {existsSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createTestWorkspace, type TestWorkspace} from '../test-workspace.fixture.ts';
import {worktreeCreate} from '../tools/worktree/create.ts';
import {atRoot} from '../worktrees/in-work-tree.ts';
import {runGit} from './run-git.ts';

const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];

/** Has a worktree with a change to stage. */
async function createRepository(): Promise<TestWorkspace> {
  const workspace = await createTestWorkspace();
  await workspace.git('init', '--quiet', '--initial-branch=main');
  await workspace.git(...who, 'commit', '--quiet', '--allow-empty', '--message', 'first');
  await worktreeCreate.run({id: 'WU-1', branch: 'lane/core/wu-1'}, workspace.context({}));
  await workspace.put('worktrees/wu-1/a', 'a\n');
  return workspace;
}

async function commitUpon({git}: TestWorkspace, parent: string): Promise<string> {
  return (await git(...who, 'commit-tree', '-p', parent, '-m', 'next', `${parent}^{tree}`)).trim();
}

const locked = expect.objectContaining({code: 'REPOSITORY_LOCKED'}) as unknown;

describe('a stale lock of a killed git process', () => {
  it('is removed: of the branch and HEAD, of packed refs, of a worktree', async () => {
    const workspace = await createRepository();
    const context = workspace.context({});
    const inside = atRoot(context, 'worktrees/wu-1');
    const head = (await workspace.git('rev-parse', 'HEAD')).trim();
    await workspace.git('update-ref', 'refs/heads/other', head);
    const locks = ['HEAD', 'refs/heads/main', 'packed-refs', 'worktrees/wu-1/index'].map((name) => `.git/${name}.lock`);
    for (const lock of locks) await workspace.put(lock, '');
    await runGit(context, ['update-ref', 'refs/heads/main', await commitUpon(workspace, head), head]);
    await runGit(context, ['update-ref', '-d', 'refs/heads/other', head]);
    await runGit(inside, ['add', '--all']);
    expect(await workspace.git('log', '--format=%s', 'main')).toBe('next\nfirst\n');
    expect(await workspace.git('branch', '--list', 'other')).toBe('');
    expect(await workspace.git('-C', 'worktrees/wu-1', 'diff', '--cached', '--name-only')).toBe('a\n');
    expect(locks.filter((lock) => existsSync(join(workspace.root, lock)))).toEqual([]);
  });

  it('is distinguished from the lock of a running git process', async () => {
    const workspace = await createRepository();
    const inside = atRoot(workspace.context({}), 'worktrees/wu-1');
    await workspace.put('worktrees/wu-1/.gitattributes', 'slow filter=slow\n');
    await workspace.put('worktrees/wu-1/slow', 'slow\n');
    const settings = ['filter.slow.clean=touch ../../begun; sleep 3; cat'];
    const slow = runGit(inside, ['add', '--', 'slow'], {settings});
    await expect.poll(() => existsSync(join(workspace.root, 'begun')), {timeout: 120_000}).toBe(true);
    await Promise.all([slow, runGit(inside, ['add', '--', 'a'])]);
    expect(await workspace.git('-C', 'worktrees/wu-1', 'diff', '--cached', '--name-only')).toBe('a\nslow\n');
  });

  it('stays if a person may be using it, or if it cannot be removed', async () => {
    const workspace = await createRepository();
    const context = workspace.context({});
    await workspace.put('b', 'b\n');
    await workspace.put('.git/index.lock', '');
    await expect(runGit(context, ['add', '--all'])).rejects.toEqual(locked);
    expect(existsSync(join(workspace.root, '.git/index.lock'))).toBe(true);
    await mkdir(join(workspace.root, '.git/worktrees/wu-1/index.lock'));
    await expect(runGit(atRoot(context, 'worktrees/wu-1'), ['add', '--all'])).rejects.toEqual(locked);
  });

  it('stays if the system has no `flock`', async () => {
    const workspace = await createRepository();
    const inside = atRoot(workspace.context({}), 'worktrees/wu-1');
    const withoutFlock = {
      ...inside,
      exec: async (...[command, args, options]: Parameters<typeof inside.exec>) =>
        await inside.exec(
          command,
          args.map((arg) => arg.replace('flock', 'no-such-flock')),
          options,
        ),
    };
    await runGit(withoutFlock, ['add', '--all']);
    await workspace.put('.git/worktrees/wu-1/index.lock', '');
    await expect(runGit(withoutFlock, ['add', '--all'])).rejects.toEqual(locked);
  });
});
