import {describe, expect, it} from 'vitest';
import {claimed, completed, created, given, later, specOf, stamp} from './work-unit-events.fixture.ts';
import {workUnitSlice} from './work-unit-slice.ts';
import type {WuEvent} from './wu-event.ts';

const id = 'WU-1';

describe('the fold of work units', () => {
  it('keeps the fields for lists, and leaves long texts in the file', () => {
    const {units, next_number: next} = given(created(1, {depends_on: ['WU-9'], risk: 'high', tests: {unit: ['a']}}));
    expect(next).toBe(2);
    expect(units[id]).toEqual({
      spec: {
        id,
        title: 'Unit 1',
        lane: 'core',
        type: 'feature',
        priority: 'P2',
        code_paths: ['src/1/**'],
        depends_on: ['WU-9'],
      },
      spec_hash: 'hash-1',
      status: 'ready',
      created_at: stamp.at,
      since: stamp.at,
    });
  });

  it('never reuses a number, even of a deleted work unit', () => {
    const {units, next_number: next} = given(created(7), created(3), {
      type: 'wu_deleted',
      ...stamp,
      id: 'WU-7',
      reason: 'x',
    });
    expect([Object.keys(units), next]).toEqual([['WU-3'], 8]);
  });

  it('keeps what is done done, and ignores late events of an earlier claim', () => {
    const released = (token: number): WuEvent => ({type: 'wu_released', ...stamp, id, token, reason: 'late'});
    expect(given(created(1), claimed(1, 1), completed(1), released(1)).units[id]?.status).toBe('done');
    const again = [created(1), claimed(1, 1), released(1), claimed(1, 2)];
    expect(given(...again, released(1)).units[id]).toMatchObject({status: 'in_progress', lease: {token: 2}});
    expect(given(...again, released(2)).units[id]?.status).toBe('ready');
  });

  it('removes a field that an edit removed', () => {
    const spec = specOf(1, {title: 'Another'});
    const edited: WuEvent = {type: 'wu_edited', ...later(1), id, spec, spec_hash: 'new'};
    const {units} = given(created(1, {labels: ['x']}), claimed(1, 1), edited);
    expect(units[id]).toMatchObject({spec: {title: 'Another'}, spec_hash: 'new', status: 'in_progress'});
    expect(units[id]?.spec).not.toHaveProperty('labels');
  });

  it('follows a work unit from claim to completion', () => {
    const states = [
      claimed(1, 4),
      {type: 'wu_started', ...later(1), id, token: 4, base: 'abc'},
      {type: 'wu_blocked', ...later(2), id, token: 4, reason: 'no key'},
      {type: 'wu_renewed', ...later(3), id, token: 4, expires_at: later(63).at},
      {type: 'wu_unblocked', ...later(4), id, token: 4, expires_at: later(64).at},
      {type: 'wu_briefed', ...later(4), id, spec_hash: 'hash-1', prompt_hash: 'p'},
      {type: 'wu_escalated', ...later(5), id, reason: 'unclear'},
      {type: 'wu_escalation_resolved', ...later(6), id, note: 'clear'},
      {type: 'wu_completed', ...later(7), id, token: 4, commit: 'def'},
    ] satisfies readonly WuEvent[];
    const folds = states.map((_, index) => given(created(1), ...states.slice(0, index + 1)).units[id]);
    expect(folds.map((unit) => unit?.status).join(' ')).toBe(
      'in_progress in_progress blocked blocked in_progress in_progress in_progress in_progress done',
    );
    expect(folds[0]).toMatchObject({since: stamp.at, lease: {token: 4, session_id: 's1'}, branch: 'lane/core/wu-1'});
    expect(folds[3]).toMatchObject({since: later(2).at, blocked_reason: 'no key', lease: {expires_at: later(63).at}});
    expect(folds[4]).not.toHaveProperty('blocked_reason');
    expect(folds[5]).toHaveProperty('briefed', {session_id: 's1', spec_hash: 'hash-1'});
    expect(folds[6]).toHaveProperty('escalation', {reason: 'unclear', since: later(5).at});
    expect(folds[7]).not.toHaveProperty('escalation');
    expect(folds[8]).toMatchObject({since: later(7).at, worktree: 'worktrees/wu-1', commit: 'def'});
    for (const gone of ['lease', 'base', 'briefed']) expect(folds[8]).not.toHaveProperty(gone);
  });

  it('keeps branch and worktree of a released work unit, and does not reuse its token', () => {
    const released: WuEvent = {type: 'wu_released', ...later(1), id, token: 4, reason: 'x'};
    const state = given(created(1), claimed(1, 4), released);
    expect(state.units[id]).toMatchObject({status: 'ready', since: later(1).at, worktree: 'worktrees/wu-1'});
    expect(state.units[id]).not.toHaveProperty('lease');
    expect(state.last_token).toBe(4);
  });

  it('ignores unknown events', () => {
    const unknown = [{type: 'wu_praised', ...stamp, id}, completed(5), {type: 'memory_created', ...stamp}];
    expect(given(created(1), ...(unknown as WuEvent[]))).toEqual(given(created(1)));
    expect(workUnitSlice.initial.units).toEqual({});
  });
});

describe('the fold of lane locks', () => {
  const lane = 'core';
  const locked = {type: 'lane_lock_acquired', ...stamp, lane, token: 1, reason: 'r', expires_at: later(30).at} as const;

  it('keeps lock, freeze and proposal apart', () => {
    const state = given(
      locked,
      {type: 'lane_frozen', ...later(1), lane, reason: 'release'},
      {type: 'lane_proposed', ...later(2), lane, yaml: 'lanes: []'},
      {type: 'lane_lock_released', ...later(3), lane},
    );
    expect(state.lanes[lane]).toEqual({
      last_token: 1,
      frozen: {reason: 'release', since: later(1).at, by: 's1'},
      proposal: {yaml: 'lanes: []', since: later(2).at, by: 's1'},
    });
  });

  it('unfreezes a lane and keeps its lock', () => {
    const state = given(
      locked,
      {type: 'lane_frozen', ...stamp, lane, reason: 'x'},
      {type: 'lane_thawed', ...stamp, lane},
    );
    expect(state.lanes[lane]).toEqual({
      last_token: 1,
      lock: {token: 1, session_id: 's1', reason: 'r', since: stamp.at, expires_at: later(30).at},
    });
  });
});
