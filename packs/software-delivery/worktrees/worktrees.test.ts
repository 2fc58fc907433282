import {existsSync, readdirSync} from 'node:fs';
import {rm, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createTestWorkspace, type TestWorkspace} from '../test-workspace.fixture.ts';
import {fileRead} from '../tools/file/read.ts';
import {fileWrite} from '../tools/file/write.ts';
import {gitAdd} from '../tools/git/add.ts';
import {gitCommit} from '../tools/git/commit.ts';
import {gitStatus} from '../tools/git/status.ts';
import {openDeliveryLog} from '../open-delivery-log.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import type {WuSpec} from '../work-units/wu-spec.ts';
import {worktreeCreate} from '../tools/worktree/create.ts';
import {worktreeList} from '../tools/worktree/list.ts';
import {worktreeRemove} from '../tools/worktree/remove.ts';

const config = {git: {author: {name: 'Ada', email: 'ada@example.org'}}};
const request = {id: 'WU-1', branch: 'lane/core/wu-1'};

async function createRepository(): Promise<TestWorkspace> {
  const workspace = await createTestWorkspace();
  await workspace.git('init', '--quiet', '--initial-branch=main');
  await workspace.put('a b.txt', 'one\n');
  await workspace.put('docs/ü.md', 'ü\n');
  await workspace.put('.npmrc', 'x=1\n');
  await workspace.put('.github/workflows/ci.yml', 'on: push\n');
  await gitAdd.run({all: true}, workspace.context(config));
  await gitCommit.run({message: 'first'}, workspace.context(config));
  return workspace;
}

const inTask = (workspace: TestWorkspace): ReturnType<typeof workspace.context<typeof config>> => ({
  ...workspace.context(config),
  task_id: 'WU-1',
});

describe('worktree:create', () => {
  it('creates folder and branch without trusted files, and git sees no change', async () => {
    const workspace = await createRepository();
    const head = (await workspace.git('rev-parse', 'HEAD')).trim();
    expect(await worktreeCreate.run(request, workspace.context(config))).toEqual({
      path: 'worktrees/wu-1',
      branch: 'lane/core/wu-1',
      head,
      created: true,
      left_out: ['.github/workflows/ci.yml', '.npmrc'],
      dry_run: false,
    });
    expect(await workspace.text('worktrees/wu-1/docs/ü.md')).toBe('ü\n');
    expect(existsSync(join(workspace.root, 'worktrees/wu-1/.npmrc'))).toBe(false);
    expect(await workspace.git('-C', 'worktrees/wu-1', 'status', '--porcelain')).toBe('');
    expect(await workspace.git('status', '--porcelain')).toBe('');
    const {worktrees} = (await worktreeList.run({}, workspace.context(config))) as {worktrees: unknown[]};
    expect(worktrees).toEqual([
      {path: '.', branch: 'main', head},
      {path: 'worktrees/wu-1', branch: 'lane/core/wu-1', head},
    ]);
  });

  it('leaves the place of a recorded work unit to wu:claim', async () => {
    const workspace = await createRepository();
    const stamp = {at: '2026-01-01T00:00:00.000Z', by: 'session-1', id: 'WU-2'};
    const spec = {id: 'WU-2', title: 'Two', lane: 'core', code_paths: []} as unknown as WuSpec;
    await openDeliveryLog(workspace.context(config)).decide(workUnitSlice, () => ({
      events: [{type: 'wu_created' as const, ...stamp, spec, spec_hash: ''}],
      result: undefined,
    }));
    await expect(worktreeCreate.run({id: 'WU-2', branch: 'mine'}, workspace.context(config))).rejects.toMatchObject({
      code: 'WORKTREE_RESERVED',
      message: expect.stringContaining('wu:claim'),
    });
    expect(existsSync(join(workspace.root, 'worktrees/wu-2'))).toBe(false);
  });

  it('finishes an interrupted creation, keeps finished ones, and reuses an existing branch and entry', async () => {
    const workspace = await createRepository();
    const context = workspace.context(config);
    await workspace.git('worktree', 'add', '--quiet', '--no-checkout', '-b', request.branch, 'worktrees/wu-1');
    expect(await worktreeCreate.run(request, context)).toMatchObject({created: false});
    expect(await workspace.text('worktrees/wu-1/a b.txt')).toBe('one\n');
    await workspace.put('worktrees/wu-1/a b.txt', 'two\n');
    expect(await worktreeCreate.run(request, context)).toMatchObject({created: false, left_out: {length: 2}});
    expect(await workspace.text('worktrees/wu-1/a b.txt')).toBe('two\n');
    await rm(join(workspace.root, 'worktrees/wu-1'), {recursive: true});
    expect(await worktreeCreate.run(request, context)).toMatchObject({created: true});
    expect(await workspace.text('worktrees/wu-1/a b.txt')).toBe('one\n');
  });

  it('recreates a worktree that a killed git process left incomplete, at any step', async () => {
    const workspace = await createRepository();
    const context = workspace.context(config);
    const head = (await workspace.git('rev-parse', 'HEAD')).trim();
    const admin = '.git/worktrees/wu-1';
    const files = ['locked', 'gitdir', 'HEAD', 'commondir'];
    await workspace.git('branch', request.branch);
    // Git creates these in order, with the worktree's `.git` file after the second, and removes the first at the end.
    for (let made = 0; made <= files.length; made += 1) {
      await workspace.git('worktree', 'add', '--quiet', '--no-checkout', 'worktrees/wu-1', request.branch);
      await workspace.put(`${admin}/locked`, 'initializing');
      if (made <= 3) await workspace.put(`${admin}/HEAD`, `${'0'.repeat(40)}\n`);
      for (const file of files.slice(made)) await unlink(join(workspace.root, admin, file));
      if (made < 2) await rm(join(workspace.root, 'worktrees/wu-1'), {recursive: true});
      expect(await worktreeCreate.run(request, context), `${made} files`).toMatchObject({created: true});
      expect(await worktreeList.run({}, context), `${made} files`).toEqual({
        worktrees: [
          {path: '.', branch: 'main', head},
          {path: 'worktrees/wu-1', branch: request.branch, head},
        ],
      });
      expect(await workspace.text('worktrees/wu-1/a b.txt')).toBe('one\n');
      await worktreeRemove.run({id: 'WU-1'}, context);
      expect(readdirSync(join(workspace.root, '.git/worktrees')), `${made} files`).toEqual([]);
    }
  });

  it('rejects what it cannot create', async () => {
    const workspace = await createRepository();
    const context = workspace.context(config);
    const codeOf = async (input: Partial<typeof request> & {base?: string}): Promise<unknown> =>
      await Promise.resolve(worktreeCreate.run({...request, ...input}, context)).then(
        () => 'made',
        (error: {code?: unknown}) => error.code,
      );
    expect(await codeOf({id: '../x'})).toBe('INVALID_INPUT');
    expect(await codeOf({branch: 'a..b'})).toBe('INVALID_INPUT');
    expect(await codeOf({base: 'nothing'})).toBe('UNKNOWN_REVISION');
    expect(await codeOf({branch: 'main'})).toBe('BRANCH_IN_USE');
    expect(await codeOf({})).toBe('made');
    expect(await codeOf({branch: 'other'})).toBe('WORKTREE_EXISTS');
    await workspace.git('branch', '--move', 'main', 'trunk');
    expect(await codeOf({id: 'WU-2', branch: 'b'})).toBe('UNKNOWN_REVISION');
  });

  it('reports what it would do', async () => {
    const workspace = await createRepository();
    expect(await worktreeCreate.run({...request, dry_run: true}, workspace.context(config))).toMatchObject({
      path: 'worktrees/wu-1',
      dry_run: true,
    });
    expect(existsSync(join(workspace.root, 'worktrees'))).toBe(false);
  });
});

describe('tools called in the task of a work unit', () => {
  it('act in its worktree, or in the workspace if there is none', async () => {
    const workspace = await createRepository();
    expect(await fileRead.run({path: 'a b.txt'}, inTask(workspace))).toMatchObject({content: 'one\n'});
    await worktreeCreate.run(request, workspace.context(config));
    const context = inTask(workspace);
    await fileWrite.run({path: 'a b.txt', content: 'two\n'}, context);
    await fileWrite.run({path: 'new/c.txt', content: 'c\n'}, context);
    expect(await workspace.text('a b.txt')).toBe('one\n');
    expect(await gitStatus.run({untracked: 'all'}, context)).toMatchObject({
      branch: 'lane/core/wu-1',
      entries: [
        {path: 'a b.txt', unstaged: 'modified'},
        {path: 'new/c.txt', kind: 'untracked'},
      ],
    });
    await gitAdd.run({all: true}, context);
    expect(await gitCommit.run({message: 'work'}, context)).toMatchObject({
      branch: 'lane/core/wu-1',
      files: [{path: 'a b.txt'}, {path: 'new/c.txt'}],
    });
    expect(await workspace.git('ls-tree', '-r', '--name-only', request.branch)).toContain('.npmrc');
    expect(await workspace.git('status', '--porcelain')).toBe('');
  });

  it('commit an omitted file that was created under a scope that names it', async () => {
    const workspace = await createRepository();
    await worktreeCreate.run(request, workspace.context(config));
    await workspace.put('worktrees/wu-1/.npmrc', 'x=2\n');
    expect(await gitAdd.run({all: true}, inTask(workspace))).toMatchObject({
      staged: [{path: '.npmrc', status: 'modified'}],
    });
  });
});

describe('worktree:remove', () => {
  it('removes the folder and keeps the branch, and rejects uncommitted work unless forced', async () => {
    const workspace = await createRepository();
    const context = workspace.context(config);
    await worktreeCreate.run(request, context);
    await workspace.put('worktrees/wu-1/new.txt', 'x');
    await expect(worktreeRemove.run({id: 'WU-1'}, context)).rejects.toMatchObject({
      code: 'WORKTREE_DIRTY',
      details: {paths: ['new.txt']},
    });
    expect(await worktreeRemove.run({id: 'WU-1', force: true, dry_run: true}, context)).toMatchObject({dry_run: true});
    expect(existsSync(join(workspace.root, 'worktrees/wu-1/new.txt'))).toBe(true);
    await worktreeRemove.run({id: 'WU-1', force: true}, context);
    expect(existsSync(join(workspace.root, 'worktrees/wu-1'))).toBe(false);
    expect(await workspace.git('worktree', 'list')).not.toContain('wu-1');
    expect(await workspace.git('branch', '--list', request.branch)).toContain('wu-1');
    await expect(worktreeRemove.run({id: 'WU-1'}, context)).rejects.toMatchObject({code: 'NOT_FOUND'});
    await expect(worktreeRemove.run({id: 'x'}, context)).rejects.toMatchObject({code: 'INVALID_INPUT'});
  });

  it('resumes where it stopped', async () => {
    const workspace = await createRepository();
    const context = workspace.context(config);
    await worktreeCreate.run(request, context);
    await unlink(join(workspace.root, 'worktrees/wu-1/.git'));
    await unlink(join(workspace.root, 'worktrees/wu-1/a b.txt'));
    await worktreeRemove.run({id: 'WU-1'}, context);
    expect(existsSync(join(workspace.root, 'worktrees/wu-1'))).toBe(false);
    expect(existsSync(join(workspace.root, '.git/worktrees/wu-1'))).toBe(false);
  });
});
