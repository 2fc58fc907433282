// Calls never fall through to the person's own checkout.
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {ToolError} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../open-delivery-log.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import {createDoneStage} from '../done/done-stage.fixture.ts';
import {createTestWorkspace} from '../test-workspace.fixture.ts';
import {fileDelete} from '../tools/file/delete.ts';
import {fileEdit} from '../tools/file/edit.ts';
import {fileRead} from '../tools/file/read.ts';
import {fileWrite} from '../tools/file/write.ts';
import {gates} from '../tools/gates/gates.ts';
import {gitAdd} from '../tools/git/add.ts';
import {gitCommit} from '../tools/git/commit.ts';
import {gitStatus} from '../tools/git/status.ts';
import {wuBlock} from '../tools/wu/block.ts';

const write = {path: 'a b.txt', content: 'x\n'};

describe('a call outside of work units', () => {
  it('writes to the checkout if there are no work units', async () => {
    const workspace = await createTestWorkspace();
    expect(await fileWrite.run(write, workspace.context(undefined))).toMatchObject({root: '.', created: true});
  });

  it('must confirm the checkout while there is open work', async () => {
    const stage = await createDoneStage();
    const context = stage.context({task_id: 'task-1', session_id: 'session-2'});
    const refused = {code: 'OUTSIDE_WORK_UNIT', details: {open_work_unit: 'WU-1'}};
    const {path} = write;
    await expect(fileWrite.run(write, context)).rejects.toMatchObject(refused);
    await expect(fileEdit.run({path, old_text: 'one', new_text: 'two'}, context)).rejects.toMatchObject(refused);
    await expect(fileDelete.run({path}, context)).rejects.toMatchObject(refused);
    await expect(gitAdd.run({all: true}, context)).rejects.toMatchObject(refused);
    await expect(gitCommit.run({message: 'm'}, context)).rejects.toMatchObject(refused);
    await expect(gates.run({}, context)).rejects.toMatchObject(refused);
    expect(await stage.workspace.text(path)).toBe('one\n');
    expect(await gates.run({commit: await stage.sha('main')}, context)).toMatchObject({root: '.'});
    expect(await fileRead.run({path}, context)).toMatchObject({path});
    const meant = {main_checkout: true};
    expect(await fileWrite.run({...write, ...meant}, context)).toMatchObject({root: '.'});
    expect(await gitAdd.run({all: true, ...meant}, context)).toMatchObject({root: '.'});
    const config = {...context.config, main_checkout: {lanes: ['core']}};
    expect(await gitCommit.run({message: 'm'}, {...context, config})).toMatchObject({root: '.'});
  });

  it('of a session with a blocked work unit is always rejected', async () => {
    const stage = await createDoneStage();
    const callTool = async () => ({success: true as const, data: {tasks: []}});
    await wuBlock.run({id: 'WU-1', lease_token: 1, reason: 'no key'}, stage.context({callTool}));
    const context = stage.context({task_id: 'task-1'});
    const refused = {code: 'WU_BLOCKED', message: expect.stringContaining('no key')};
    await expect(fileWrite.run({...write, main_checkout: true}, context)).rejects.toMatchObject(refused);
    await expect(fileRead.run({path: write.path}, context)).rejects.toMatchObject(refused);
    await expect(gitStatus.run({}, context)).rejects.toMatchObject(refused);
    const other = stage.context({task_id: 'task-2', session_id: 'session-2'});
    expect(await fileRead.run({path: write.path}, other)).toMatchObject({path: write.path});
  });
});

describe('a call in a work unit', () => {
  it('reports that it wrote to the worktree', async () => {
    const stage = await createDoneStage();
    const root = 'worktrees/wu-1';
    expect(await fileWrite.run(write, stage.context())).toMatchObject({root});
    expect(await gitAdd.run({all: true}, stage.context())).toMatchObject({root});
    expect(await gitCommit.run({message: 'm'}, stage.context())).toMatchObject({root});
    expect(await gates.run({}, stage.context())).toMatchObject({root});
    expect(await stage.workspace.text(write.path)).toBe('one\n');
  });

  it('outside the code paths fails with the steps that allow it', async () => {
    const stage = await createDoneStage();
    const own = stage.context();
    const denied = async (): Promise<never> => {
      throw new ToolError('SCOPE_DENIED', 'not granted');
    };
    const context = {...own, fs: {...own.fs, write: denied, remove: denied}};
    const {code_paths: paths = []} = (await openDeliveryLog(own).read(workUnitSlice)).units['WU-1']?.spec ?? {};
    expect(paths).toContain('src/**');
    await expect(fileWrite.run({path: 'package.json', content: ''}, context)).rejects.toMatchObject({
      code: 'SCOPE_DENIED',
      message: expect.stringMatching(/`package.json` is not among the code paths of `WU-1`.*wu:release.*wu:edit/u),
    });
    await expect(fileWrite.run({path: 'src/x', content: ''}, context)).rejects.toThrow('not granted');
  });

  it('does not fall back to the checkout if the worktree is missing', async () => {
    const stage = await createDoneStage();
    await rm(join(stage.workspace.root, 'worktrees/wu-1'), {recursive: true});
    await expect(fileWrite.run(write, stage.context())).rejects.toMatchObject({code: 'NO_WORKTREE'});
  });
});
