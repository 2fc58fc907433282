import {describe, expect, it} from 'vitest';
import type {Delegation} from '../delegation/delegation-slice.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import {findStuck, type WatchedWork} from './find-stuck.ts';

const now = Date.parse('2026-03-01T12:00:00.000Z');
const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
const patience = {untaken_minutes: 60, silent_minutes: 30};

const unit = (id: string, status: WorkUnit['status'], expiresInMinutes?: number): WorkUnit => ({
  spec: {id, title: 'Title', lane: 'core', type: 'feature', priority: 'P2', code_paths: []},
  spec_hash: 'x',
  status,
  created_at: ago(999),
  since: ago(500),
  ...(expiresInMinutes !== undefined && {
    lease: {token: 1, session_id: `session-of-${id}`, expires_at: ago(-expiresInMinutes)},
  }),
});
const delegation = (wu: string, minutes: number): Delegation => ({
  delegation: 'DEL-1',
  wu,
  to: 'ada',
  by: 'session-1',
  recorded_at: ago(minutes),
  state: 'open',
  since: ago(minutes),
});

const stuck = (units: readonly WorkUnit[], words: Partial<WatchedWork> = {}) =>
  findStuck({units, delegationOf: () => undefined, lastSeen: () => undefined, ...words}, patience, now);

describe('findStuck', () => {
  it('finds expired leases, longest first, with their holders', () => {
    const units = [unit('WU-1', 'in_progress', -1), unit('WU-2', 'in_progress', -90), unit('WU-3', 'in_progress', 1)];
    const withAda = (wu: string) => (wu === 'WU-2' ? delegation('WU-2', 300) : undefined);
    expect(stuck(units, {delegationOf: withAda})).toEqual([
      {
        wu: 'WU-2',
        reason: 'lease_expired',
        since: ago(90),
        minutes: 90,
        remedy: 'release',
        session_id: 'session-of-WU-2',
        delegation: 'DEL-1',
        to: 'ada',
      },
      expect.objectContaining({wu: 'WU-1', minutes: 1}),
    ]);
  });

  it('finds silent holders, but not those that never sent a heartbeat', () => {
    const units = [
      unit('WU-1', 'in_progress', 100),
      unit('WU-2', 'in_progress', 100),
      unit('WU-3', 'in_progress', 100),
    ];
    const seen = new Map([
      ['session-of-WU-1', ago(31)],
      ['session-of-WU-2', ago(29)],
    ]);
    expect(stuck(units, {lastSeen: ({lease}) => seen.get(lease?.session_id ?? '')})).toEqual([
      expect.objectContaining({wu: 'WU-1', reason: 'holder_silent', since: ago(31), remedy: 'release'}),
    ]);
  });

  it('finds unclaimed delegations', () => {
    const minutes = (wu: string): number => (wu === 'WU-1' ? 61 : 59);
    const work = {delegationOf: (wu: string) => delegation(wu, minutes(wu))};
    expect(stuck([unit('WU-1', 'ready'), unit('WU-2', 'ready')], work)).toEqual([
      expect.objectContaining({wu: 'WU-1', reason: 'delegation_untaken', remedy: 'withdraw', to: 'ada'}),
    ]);
  });

  it('ignores work that is blocked, done, or ready without an assignee', () => {
    expect(stuck([unit('WU-1', 'blocked', -90), unit('WU-2', 'done'), unit('WU-3', 'ready')])).toEqual([]);
  });
});
