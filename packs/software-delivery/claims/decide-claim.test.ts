import {isToolError, type ToolError} from '@lumenflow/pack-sdk';
import {describe, expect, it} from 'vitest';
import {after, claimed, completed, created, given, later, stamp} from '../work-units/work-unit-events.fixture.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';
import type {WuEvent} from '../work-units/wu-event.ts';
import {decideClaim, type ClaimRequest} from './decide-claim.ts';
import {isExpired, leaseTtlMs, renewLease, requireHolder, requireLease} from './lease.ts';

const ttl_ms = 3_600_000;
const request = (more: Partial<ClaimRequest> = {}): ClaimRequest => ({
  ...stamp,
  id: 'WU-1',
  ttl_ms,
  wip_limit: 2,
  branch: 'lane/core/wu-1',
  worktree: 'worktrees/wu-1',
  ...more,
});
const refusal = (work: () => unknown): ToolError => {
  try {
    work();
  } catch (error) {
    if (isToolError(error)) return error;
    throw error;
  }
  throw new Error('it was not refused');
};
const refused = (state: WorkUnits, more?: Partial<ClaimRequest>): string =>
  refusal(() => decideClaim(state, request(more))).code;
/** An error code or a condition, the state, and the rest of the request. */
type Case = readonly [string, WorkUnits, Partial<ClaimRequest>];

const frozen = {type: 'lane_frozen', ...stamp, lane: 'core', reason: 'release'} as const;
const locked = {
  type: 'lane_lock_acquired',
  ...later(0, 's9'),
  lane: 'core',
  token: 1,
  reason: 'moving',
  expires_at: later(30).at,
} as const;

const refusals: readonly Case[] = [
  ['WU_NOT_FOUND', given(), {}],
  ['WU_NOT_FOUND', given(created(1)), {id: '__proto__'}],
  ['WU_DONE', given(created(1), completed(1)), {}],
  ['LEASE_HELD', given(created(1), claimed(1, 1, later(0, 's2'))), later(59)],
  [
    'WU_BLOCKED',
    given(created(1), claimed(1, 1), {type: 'wu_blocked', ...stamp, id: 'WU-1', token: 1, reason: 'x'}),
    {},
  ],
  ['LANE_FROZEN', given(created(1), frozen), {}],
  ['LANE_LOCKED', given(created(1), locked), {}],
  ['DEPENDENCY_NOT_DONE', given(created(1, {depends_on: ['WU-2']}), created(2)), {}],
  ['DEPENDENCY_NOT_DONE', given(created(1), created(2, {blocks: ['WU-1']})), {}],
  ['LANE_FULL', given(created(1), created(2), claimed(2, 1)), {wip_limit: 1}],
  ['CODE_PATHS_OVERLAP', given(created(1), created(2, {code_paths: ['src/*/new.ts'], lane: 'b'}), claimed(2, 1)), {}],
];

const noHindrances: readonly Case[] = [
  ['a lock of its own', given(created(1), {...locked, by: 's1'}), {}],
  ['a lock that is over', given(created(1), locked), later(30)],
  ['a done dependency', given(created(1, {depends_on: ['WU-2']}), created(2), completed(2)), {}],
  ['a full lane beside its own', given(created(1), created(2, {lane: 'b'}), claimed(2, 1)), {wip_limit: 1}],
  ['no limit', given(created(1), created(2), claimed(2, 1)), {wip_limit: undefined}],
  ['the same files in work that is done', given(created(1), created(2, {code_paths: ['src/1/**']}), completed(2)), {}],
];

describe('a claim', () => {
  it('takes a lease with a token higher than any before', () => {
    const state = given(created(1), created(2), claimed(2, 6, later(0, 's2')));
    const {events, result} = decideClaim(state, request());
    expect(result).toMatchObject({lease: {token: 7, session_id: 's1', expires_at: later(60).at}, resumed: false});
    const {units} = after(state, events);
    expect(units['WU-1']).toMatchObject({status: 'in_progress', lease: result.lease, worktree: 'worktrees/wu-1'});
  });

  it('of the same session is resumed with its token', () => {
    const state = given(created(1), claimed(1, 3));
    const {events, result} = decideClaim(state, request(later(30)));
    expect(result).toMatchObject({lease: {token: 3, expires_at: later(90).at}, resumed: true});
    expect(after(state, events).units['WU-1']?.lease).toEqual(result.lease);
  });

  it('takes over an expired lease and invalidates the old token', () => {
    const state = given(created(1), claimed(1, 3));
    const {events, result} = decideClaim(state, request(later(60, 's2')));
    expect(result).toMatchObject({lease: {token: 4, session_id: 's2'}, taken_from: 's1'});
    const next = after(state, events);
    expect(refusal(() => requireLease(next, 'WU-1', 3)).code).toBe('LEASE_STALE');
    expect(requireLease(next, 'WU-1', 4).lease.session_id).toBe('s2');
    expect(events.map(({type}) => type)).toEqual(['wu_released', 'wu_claimed']);
  });

  it.each(refusals)('is rejected with %s', (code, state, more = {}) => {
    expect(refused(state, more)).toBe(code);
  });

  it('reports the overlapping work unit and paths', () => {
    const state = given(
      created(1, {code_paths: ['src/a/']}),
      created(2, {code_paths: ['src/*/new.ts']}),
      claimed(2, 1),
    );
    const {message, details} = refusal(() => decideClaim(state, request()));
    expect(message).toContain('`src/a/` meets `src/*/new.ts` of `WU-2`');
    expect(details).toEqual({id: 'WU-1', overlaps: [{id: 'WU-2', mine: 'src/a/', theirs: 'src/*/new.ts'}]});
  });

  it.each(noHindrances)('is not prevented by %s', (_, state, more = {}) => {
    expect(decideClaim(state, request(more)).result.lease.token).toBeGreaterThan(0);
  });
});

describe('a lease', () => {
  const state = given(created(1), claimed(1, 5));
  const beat = (minutes: number, by = 's1'): ReturnType<typeof renewLease> =>
    renewLease(state, {...later(minutes, by), id: 'WU-1', ttl_ms});

  it('is renewed by its session after a quarter of its time', () => {
    expect(beat(14)).toEqual({events: [], result: later(60).at});
    const {events, result} = beat(20);
    expect(result).toBe(later(80).at);
    expect(after(state, events).units['WU-1']?.lease).toMatchObject({token: 5, expires_at: later(80).at});
  });

  it('is not renewed by other sessions, and not if there is none', () => {
    expect(beat(30, 's2')).toEqual({events: [], result: undefined});
    expect(renewLease(given(created(1)), {...stamp, id: 'WU-1', ttl_ms})).toEqual({events: [], result: undefined});
  });

  it('expires on time, but remains its holder’s until another session takes it', () => {
    const {lease} = requireLease(state, 'WU-1', 5);
    expect([isExpired(lease, Date.parse(later(60).at) - 1), isExpired(lease, Date.parse(later(60).at))]).toEqual([
      false,
      true,
    ]);
  });

  it('is checked by its token', () => {
    expect(refusal(() => requireLease(state, 'WU-1', 4)).code).toBe('LEASE_STALE');
    expect(refusal(() => requireLease(given(created(1)), 'WU-1', 1)).code).toBe('NOT_CLAIMED');
    expect(refusal(() => requireLease(given(), 'WU-1', 1)).code).toBe('WU_NOT_FOUND');
  });

  it('names the session and its clone, and what to do', () => {
    const away = given(created(1), {...claimed(1, 5), origin: 'there'} as WuEvent);
    const messages = [
      refusal(() => requireHolder(state, 'WU-1', {token: 5, session_id: 's2'})),
      refusal(() => requireHolder(away, 'WU-1', {token: 5, session_id: 's1'})),
      refusal(() => requireHolder(state, 'WU-1', {token: 4, session_id: 's1'})),
    ].map(({message}) => message);
    expect(messages).toEqual([
      "`WU-1` is claimed by session `s1`, not by this call's session `s2`: call again in that session (`--session s1`)",
      "`WU-1` is claimed by session `s1` of another clone, not by this call's session `s1`: call again in that clone",
      'the lease token 4 of `WU-1` is not the current one: session `s1` has claimed it; in that session, pass the token of its latest `wu:claim`',
    ]);
    expect(refusal(() => decideClaim(away, request(later(30)))).code).toBe('LEASE_HELD');
  });

  it('lasts as long as configured', () => {
    expect([leaseTtlMs(undefined), leaseTtlMs({lease: {ttl_minutes: 5}})]).toEqual([3_600_000, 300_000]);
  });
});
