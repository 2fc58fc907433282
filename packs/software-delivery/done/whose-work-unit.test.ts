// A lease token is a counter that anyone can guess, so only the session that claimed a work unit can finish it.
import {describe, expect, it} from 'vitest';
import {openDeliveryLog} from '../open-delivery-log.ts';
import {wuBlock} from '../tools/wu/block.ts';
import {wuDone} from '../tools/wu/done.ts';
import {wuPrep} from '../tools/wu/prep.ts';
import {wuUnblock} from '../tools/wu/unblock.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import {createDoneStage} from './done-stage.fixture.ts';

const asked = {id: 'WU-1', lease_token: 1};

async function changeHands(context: Parameters<typeof openDeliveryLog>[0]): Promise<void> {
  const stamp = {at: '2026-01-01T02:00:00.000Z', by: 'session-2', id: 'WU-1'};
  const claimed = {branch: 'lane/core/wu-1', worktree: 'worktrees/wu-1', expires_at: '2099-01-01T00:00:00.000Z'};
  await openDeliveryLog(context).decide(workUnitSlice, () => ({
    events: [
      {type: 'wu_released' as const, ...stamp, token: 1, reason: 'expired'},
      {type: 'wu_claimed' as const, ...stamp, token: 2, ...claimed},
    ],
    result: undefined,
  }));
}

describe('a work unit', () => {
  it('belongs to the session that claimed it, at each step: a token alone is not enough', async () => {
    const stage = await createDoneStage();
    await stage.work({'src/x': 'x'});
    const main = await stage.sha('main');
    const mallory = stage.context({session_id: 'session-of-mallory'});
    const refused = {code: 'WU_OF_ANOTHER_SESSION'};
    await expect(wuDone.run(asked, mallory)).rejects.toMatchObject(refused);
    await expect(wuDone.run({...asked, dry_run: true}, mallory)).rejects.toMatchObject(refused);
    await expect(wuPrep.run(asked, mallory)).rejects.toMatchObject(refused);
    await expect(wuBlock.run({...asked, reason: 'x'}, mallory)).rejects.toMatchObject(refused);
    await expect(wuUnblock.run(asked, mallory)).rejects.toMatchObject(refused);
    expect(await stage.sha('main')).toBe(main);
    const log = await openDeliveryLog(stage.context()).read(workUnitSlice);
    expect(log.units['WU-1']?.status).toBe('in_progress');
  });

  it('does not move the branch if another session took the work unit while its gates ran', async () => {
    const stage = await createDoneStage();
    await stage.work({'src/x': 'x'});
    const main = await stage.sha('main');
    const own = stage.context();
    const context = stage.context({
      async callTool(name, input) {
        const output = await own.callTool(name, input);
        if (name === 'gates') await changeHands(own);
        return output;
      },
    });
    await expect(wuDone.run(asked, context)).rejects.toMatchObject({code: 'LEASE_STALE'});
    expect(await stage.sha('main')).toBe(main);
  });
});
