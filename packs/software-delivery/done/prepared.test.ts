import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {wuPrep} from '../tools/wu/prep.ts';
import {wuVerify} from '../tools/wu/verify.ts';
import {createDoneStage} from './done-stage.fixture.ts';

const asked = {id: 'WU-1', lease_token: 1};

describe('wu:prep', () => {
  it('reports what blocks the merge, and gates the current files, untracked ones included', async () => {
    const stage = await createDoneStage();
    const head = await stage.work({'src/x': 'x', outside: 'x', 'src/.npmrc': 'x=1'});
    await stage.workspace.put('worktrees/wu-1/broken', 'x');
    expect(await wuPrep.run(asked, stage.context())).toMatchObject({
      head,
      changed: ['outside', 'src/.npmrc', 'src/x'],
      uncommitted: ['broken'],
      outside: ['outside', 'src/.npmrc'],
      conflicts: [],
      gates: {passed: false},
      ready: false,
    });
    expect(await wuPrep.run({...asked, dry_run: true}, stage.context())).not.toHaveProperty('gates');
    await expect(wuPrep.run({...asked, lease_token: 7}, stage.context())).rejects.toMatchObject({code: 'LEASE_STALE'});
    expect(readFileSync(join(stage.workspace.root, 'worktrees/wu-1/broken'), 'utf8')).toBe('x');
  });
});

describe('wu:verify', () => {
  it('returns the tree of the worktree with untracked files, and the gates that passed on it', async () => {
    const stage = await createDoneStage();
    await stage.workspace.put('worktrees/wu-1/src/x', 'x');
    await wuPrep.run(asked, stage.context());
    const before = await wuVerify.run({}, stage.context());
    expect(before).toMatchObject({id: 'WU-1', subject: 'worktree', gates: [{name: 'test', state: 'passed'}]});
    await stage.workspace.put('worktrees/wu-1/src/x', 'y');
    expect(await wuVerify.run({id: 'WU-1'}, stage.context({task_id: 'other'}))).toMatchObject({
      subject: 'worktree',
      gates: [{state: 'not_run'}],
    });
    expect(await wuVerify.run({id: 'WU-9'}, stage.context())).toMatchObject({subject: 'workspace'});
  });

  it('returns no tree without a repository, which is valid only without gates', async () => {
    const stage = await createDoneStage();
    const context = stage.context({
      workspace_root: '/',
      exec: async () => ({
        stdout: '',
        stderr: 'fatal: not a git repository',
        exit_code: 128,
        truncated: false,
        timed_out: false,
      }),
    });
    await expect(wuVerify.run({id: 'task'}, context)).rejects.toMatchObject({code: 'NOT_A_REPOSITORY'});
    expect(await wuVerify.run({id: 'task'}, {...context, config: undefined})).toMatchObject({
      tree_hash: null,
      gates: [],
    });
  });
});
