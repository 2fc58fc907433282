import type {ToolOutput} from '@lumenflow/pack-sdk';
import {describe, expect, test} from 'vitest';
import {claimed, completed, created, given, later} from '../work-units/work-unit-events.fixture.ts';
import {findActiveHolders, prolongLeases, readSigns} from './signs-of-life.ts';

const ttlMs = 3_600_000;
/** WU-1 is held by s1 and WU-2 by s2, both until minute 60. */
const state = given(created(1), created(2), created(3), claimed(1, 1), claimed(2, 2, later(0, 's2')), completed(3));
const units = Object.values(state.units);
const task = (id: string, session_id: string, active_at?: string): object => ({
  task_id: id,
  state: 'active',
  run: {session_id},
  ...(active_at !== undefined && {active_at}),
});

/** A kernel that returns these tasks, and records its calls. */
function kernelOf(...tasks: readonly object[]): Parameters<typeof readSigns>[0] & {readonly asked: unknown[]} {
  const asked: unknown[] = [];
  const callTool = async (_name: string, input: unknown): Promise<ToolOutput> => {
    asked.push((input as {readonly task_ids: unknown}).task_ids);
    return {success: true, data: {tasks, total: tasks.length}};
  };
  return {callTool, config: undefined, asked};
}

describe('a sign of life', () => {
  test('is the latest call of the session that holds both lease and task', async () => {
    const {at} = later(70);
    expect(await readSigns(kernelOf(task('WU-1', 's1', at), task('WU-2', 's2')), units)).toEqual(
      new Map([['WU-1', {token: 1, at}]]),
    );
    expect(await readSigns(kernelOf(task('WU-1', 's9', at)), units)).toEqual(new Map());
  });

  test('is queried only if the lease has expired in the log', async () => {
    const kernel = kernelOf(task('WU-1', 's1', later(70).at));
    const now = (minutes: number): number => Date.parse(later(minutes).at);
    expect((await findActiveHolders(kernel, units, now(59)))(state)).toBe(state);
    expect(kernel.asked).toEqual([]);
    const prolonged = (await findActiveHolders(kernel, units, now(60)))(state);
    expect(kernel.asked).toEqual([['WU-1', 'WU-2']]);
    expect(prolonged.units['WU-1']?.lease?.expires_at).toBe(later(130).at);
    expect(prolonged.units['WU-2']).toBe(state.units['WU-2']);
  });
});

describe('a lease', () => {
  const untilOf = (sign: {readonly token: number; readonly at: string}): string | undefined =>
    prolongLeases(state, new Map([['WU-1', sign]]), ttlMs).units['WU-1']?.lease?.expires_at;

  test.each([
    ['lasts longer after a later sign', {token: 1, at: later(10).at}, later(70).at],
    ['is not shortened by an earlier one', {token: 1, at: later(-10).at}, later(60).at],
    ['that was taken over since is not prolonged', {token: 9, at: later(10).at}, later(60).at],
  ])('%s', (_, sign, until) => {
    expect(untilOf(sign)).toBe(until);
  });

  test('of a deleted or done work unit does not exist', () => {
    const sign = {token: 1, at: later(10).at};
    expect(
      prolongLeases(
        state,
        new Map([
          ['WU-9', sign],
          ['WU-3', sign],
        ]),
        ttlMs,
      ),
    ).toBe(state);
  });

  test('in the given state is not changed', () => {
    prolongLeases(state, new Map([['WU-1', {token: 1, at: later(10).at}]]), ttlMs);
    expect(state.units['WU-1']?.lease?.expires_at).toBe(later(60).at);
  });
});
