// Writes are applied when a call has ended, or not at all. The log never claims more than the main branch contains.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {describe, expect, it} from 'vitest';
import {openDeliveryLog} from '../open-delivery-log.ts';
import type {PackConfig} from '../pack-config.ts';
import {wuDone} from '../tools/wu/done.ts';
import {wuMerge} from '../tools/wu/merge.ts';
import {createDoneStage, type DoneStage} from './done-stage.fixture.ts';
import {doneSlice} from './done-slice.ts';

const asked = {id: 'WU-1', lease_token: 1};

type CallTool = ToolContext['callTool'];

/** Makes `wu:merge` end this way; the branch does not move. */
function discarding(stage: DoneStage, end: Awaited<ReturnType<CallTool>>, times = 1): ToolContext<PackConfig> {
  let left = times;
  const callTool: CallTool = async (name, input) => {
    if (name !== 'wu:merge' || left === 0) return await stage.answer(name, input);
    left -= 1;
    return end;
  };
  return stage.context({callTool});
}

const stageOf = async (stage: DoneStage): Promise<string | undefined> =>
  (await openDeliveryLog(stage.context()).read(doneSlice))['WU-1']?.stage;

describe('wu:done whose merge', () => {
  it('conflicts with a concurrent change is retried', async () => {
    const stage = await createDoneStage();
    await stage.work({'src/x': 'x'});
    const conflict = {success: false as const, error: {code: 'WRITE_CONFLICT', message: '`.git/logs/HEAD` changed'}};
    await wuDone.run(asked, discarding(stage, conflict));
    expect(await stage.workspace.git('show', 'main:src/x')).toBe('x');
    const other = await createDoneStage();
    await other.work({'src/x': 'x'});
    await expect(wuDone.run(asked, discarding(other, conflict, 100))).rejects.toMatchObject({code: 'MAIN_CONTENDED'});
    expect(await stageOf(other)).toBe('gated');
  });

  it.each([
    ['CHANGES_PARKED', {success: false as const, error: {code: 'CHANGES_PARKED', message: 'wait for a person'}}],
    ['POLICY_DENIED', {success: false as const, error: {code: 'POLICY_DENIED', message: 'no'}}],
    ['NOT_MERGED', {success: true as const, data: {moved: true}}],
  ])('is not applied (%s) is not recorded, and can be resumed', async (code, end) => {
    const stage = await createDoneStage();
    await stage.work({'src/x': 'x'});
    await expect(wuDone.run(asked, discarding(stage, end))).rejects.toMatchObject({code});
    expect(await stageOf(stage)).toBe('gated');
    expect(stage.completions()).toBe(0);
    await wuDone.run(asked, stage.context());
    expect(await stage.workspace.git('show', 'main:src/x')).toBe('x');
    expect(stage.completions()).toBe(1);
  });

  it('was recorded without moving the branch is made again', async () => {
    const stage = await createDoneStage();
    await stage.work({'src/x': 'x'});
    const parked = {success: false as const, error: {code: 'CHANGES_PARKED', message: 'wait for a person'}};
    await expect(wuDone.run(asked, discarding(stage, parked))).rejects.toMatchObject({code: 'CHANGES_PARKED'});
    const stamp = {at: '2026-01-01T00:00:00.000Z', by: 'session-1', id: 'WU-1'};
    await openDeliveryLog(stage.context()).decide(doneSlice, () => ({
      events: [{type: 'done_merged' as const, ...stamp}],
      result: undefined,
    }));
    await wuDone.run(asked, stage.context());
    expect(await stage.workspace.git('show', 'main:src/x')).toBe('x');
  });
});

describe('wu:merge', () => {
  it('does not move the branch without gates, or for another session', async () => {
    const stage = await createDoneStage();
    const before = await stage.sha('main');
    await stage.work({'src/x': 'x'});
    await expect(wuMerge.run(asked, stage.context())).rejects.toMatchObject({code: 'NOT_GATED'});
    const mallory = stage.context({session_id: 'session-of-mallory'});
    await expect(wuMerge.run(asked, mallory)).rejects.toMatchObject({code: 'WU_OF_ANOTHER_SESSION'});
    expect(await stage.sha('main')).toBe(before);
  });
});
