import {describe, expect, it} from 'vitest';
import type {WuEvent} from '../work-units/wu-event.ts';
import {currentOf, delegate, delegateFree, withdraw} from './decide-delegation.ts';
import type {DelegationEvent} from './delegation-events.ts';
import {delegationSlice, type Delegations} from './delegation-slice.ts';

const stamp = {at: '2026-03-01T00:00:00.000Z', by: 'session-1'};
const later = {at: '2026-03-01T01:00:00.000Z', by: 'session-2'};

const fold = (
  events: readonly (DelegationEvent | WuEvent)[],
  before: Delegations = delegationSlice.initial,
): Delegations => events.reduce((state, event) => delegationSlice.evolve(state, event), structuredClone(before));

const {events, result} = delegate(delegationSlice.initial, {wu: 'WU-1', to: 'ada', note: 'please'}, stamp);
const open = fold(events);
const taken = fold(
  [{type: 'wu_claimed', ...later, id: 'WU-1', token: 1, expires_at: 'x', branch: 'b', worktree: 'w'}],
  open,
);

describe('a delegation', () => {
  it('is open once it is recorded', () => {
    expect(result.changed).toBe(true);
    expect(currentOf(open, 'WU-1')).toEqual(result.delegation);
    expect(result.delegation).toEqual({
      delegation: 'DEL-1',
      wu: 'WU-1',
      to: 'ada',
      note: 'please',
      by: 'session-1',
      recorded_at: stamp.at,
      state: 'open',
      since: stamp.at,
    });
  });

  it('follows its work unit: claimed, released, done', () => {
    expect(currentOf(taken, 'WU-1')).toMatchObject({state: 'taken', since: later.at, taken_by: 'session-2'});
    const back = fold([{type: 'wu_released', ...later, id: 'WU-1', token: 1, reason: 'tired'}], taken);
    expect(currentOf(back, 'WU-1')).toMatchObject({state: 'open', since: later.at});
    expect(currentOf(back, 'WU-1')).not.toHaveProperty('taken_by');
    const done = fold([{type: 'wu_completed', ...later, id: 'WU-1', token: 1}], taken);
    expect(currentOf(done, 'WU-1')).toBeUndefined();
    expect(done.delegations['DEL-1']).toMatchObject({state: 'done', taken_by: 'session-2'});
  });

  it('is withdrawn if its work unit is deleted', () => {
    const gone = fold([{type: 'wu_deleted', ...later, id: 'WU-1', reason: 'not needed'}], open);
    expect(gone).toMatchObject({current: {}, delegations: {'DEL-1': {state: 'withdrawn', reason: 'not needed'}}});
  });

  it('is the only open one of its work unit', () => {
    expect(delegate(open, {wu: 'WU-1', to: 'ada'}, later)).toMatchObject({events: [], result: {changed: false}});
    expect(() => delegate(open, {wu: 'WU-1', to: 'bob'}, later)).toThrow(
      expect.objectContaining({code: 'ALREADY_DELEGATED', details: {wu: 'WU-1', delegation: 'DEL-1', to: 'ada'}}),
    );
    const free = delegateFree(open, ['WU-1', 'WU-2', 'WU-3'], {to: 'bob', stamp: later, initiative: 'INIT-1'});
    expect(free.result.map(({delegation, wu}) => [delegation, wu])).toEqual([
      ['DEL-2', 'WU-2'],
      ['DEL-3', 'WU-3'],
    ]);
    expect(delegateFree(fold(free.events, open), ['WU-1', 'WU-2'], {to: 'bob', stamp: later}).events).toEqual([]);
  });

  it('can be withdrawn once, and then replaced', () => {
    const withdrawal = withdraw(open, {delegation: 'DEL-1', reason: 'ill'}, later);
    const state = fold(withdrawal.events, open);
    expect(state.delegations['DEL-1']).toEqual(withdrawal.result.delegation);
    expect(delegate(state, {wu: 'WU-1', to: 'bob'}, later).result.delegation.delegation).toBe('DEL-2');
    const again = (delegation: string) => () => withdraw(state, {delegation, reason: 'x'}, later);
    expect(again('DEL-1')).toThrow(expect.objectContaining({code: 'DELEGATION_OVER'}));
    expect(again('DEL-9')).toThrow(expect.objectContaining({code: 'DELEGATION_NOT_FOUND'}));
  });

  it('does not follow its work unit after it was withdrawn', () => {
    const state = fold(withdraw(open, {delegation: 'DEL-1', reason: 'ill'}, later).events, open);
    expect(fold([{type: 'wu_completed', ...later, id: 'WU-1', token: 1}], state)).toEqual(state);
    expect(fold([{type: 'delegation_withdrawn', ...later, delegation: 'DEL-7', reason: 'x'}], state)).toEqual(state);
  });
});
