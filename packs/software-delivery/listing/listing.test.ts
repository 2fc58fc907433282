import {describe, expect, it} from 'vitest';
import {claimed, completed, created, given, later, stamp} from '../work-units/work-unit-events.fixture.ts';
import {listUnits, type ListQuery} from './list-units.ts';
import {countByStatus, unitStatus} from './unit-status.ts';

const state = given(
  created(1, {title: 'Rooms', labels: ['a'], depends_on: ['WU-2'], initiative: 'I-1'}),
  created(2, {title: 'room keys', priority: 'P0', type: 'bug'}),
  created(10, {lane: 'web', priority: 'P0'}),
  created(3, {depends_on: ['WU-4']}),
  created(4),
  completed(4),
  claimed(2, 1, later(5)),
  {type: 'wu_escalated', ...stamp, id: 'WU-2', reason: 'unclear'},
  {type: 'wu_assigned', ...stamp, id: 'WU-1', assignee: 'ada', due: '2026-01-01'},
  {type: 'wu_assigned', ...stamp, id: 'WU-3', assignee: 'bob', due: '2025-12-31'},
  {type: 'wu_assigned', ...stamp, id: 'WU-3', assignee: 'ada'},
  {type: 'wu_assigned', ...stamp, id: 'WU-4', due: '2025-12-30'},
  {type: 'wu_assigned', ...stamp, id: 'WU-10', assignee: 'ada', due: '2025-12-31'},
  {type: 'wu_assigned', ...stamp, id: 'WU-10', assignee: null, due: null},
  {type: 'wu_commented', ...stamp, id: 'WU-3', text: 'x'},
);
const now = Date.parse(later(65).at);
const ids = (query: ListQuery): string =>
  listUnits(state, query, now)
    .units.map(({id}) => id)
    .join(' ');

describe('the list', () => {
  it.each([
    [{}, 'WU-1 WU-2 WU-3 WU-4 WU-10'],
    [{status: ['ready', 'done']}, 'WU-1 WU-3 WU-4 WU-10'],
    [{lane: 'web'}, 'WU-10'],
    [{type: 'bug'}, 'WU-2'],
    [{priority: 'P0'}, 'WU-2 WU-10'],
    [{initiative: 'I-1'}, 'WU-1'],
    [{label: 'a'}, 'WU-1'],
    [{title: 'ROOM'}, 'WU-1 WU-2'],
    [{claimable: true}, 'WU-3 WU-10'],
    [{sort: 'priority'}, 'WU-2 WU-10 WU-1 WU-3 WU-4'],
    [{sort: 'since', limit: 4}, 'WU-1 WU-3 WU-4 WU-10'],
    [{lane: 'nowhere'}, ''],
    [{assignee: 'ada'}, 'WU-1 WU-3'],
    [{overdue: true}, 'WU-3'],
    [{sort: 'due'}, 'WU-4 WU-3 WU-1 WU-2 WU-10'],
  ] satisfies readonly [ListQuery, string][])('by %j', (query, expected) => {
    expect(ids(query)).toBe(expected);
  });

  it('returns pages that are complete together', () => {
    const pages: string[] = [];
    let page = listUnits(state, {limit: 2}, now);
    for (; page.next_after !== undefined; page = listUnits(state, {limit: 2, after: page.next_after}, now)) {
      expect(page.total).toBe(5);
      pages.push(page.units.map(({id}) => id).join(' '));
    }
    expect([...pages, page.units.map(({id}) => id).join(' ')]).toEqual(['WU-1 WU-2', 'WU-3 WU-4', 'WU-10']);
  });

  it('reports assignee, due date and comments', () => {
    const [row] = listUnits(state, {overdue: true}, now).units;
    expect(row).toMatchObject({assignee: 'ada', due: '2025-12-31', overdue: true, comments: 1});
  });

  it('reports the holder, and whether the lease has expired', () => {
    const [row] = listUnits(state, {type: 'bug'}, now).units;
    expect(row).toMatchObject({session_id: 's1', lease_expired: true, escalated: true, since: later(5).at});
    expect(listUnits(state, {type: 'bug'}, now - 1).units[0]).not.toHaveProperty('lease_expired');
    expect(listUnits(state, {label: 'a'}, now).units[0]?.waits_for).toEqual(['WU-2']);
  });
});

describe('the status', () => {
  const statusOf = (id: string): ReturnType<typeof unitStatus> => {
    const unit = state.units[id];
    if (unit === undefined) throw new Error(`no ${id}`);
    return unitStatus(state, unit, {...later(65, 's2'), wip_limit: 1});
  };

  it('reports every obstacle of a ready work unit', () => {
    expect(statusOf('WU-1').obstacles.map(({code}) => code)).toEqual(['DEPENDENCY_NOT_DONE', 'LANE_FULL']);
    expect(statusOf('WU-10').obstacles).toEqual([]);
  });

  it('reports holder, age and place of an active work unit', () => {
    expect(statusOf('WU-2')).toMatchObject({
      age_ms: 3_600_000,
      lease: {session_id: 's1', expired: true},
      branch: 'lane/core/wu-2',
      escalation: 'unclear',
      obstacles: [],
    });
  });

  it('counts', () => {
    expect(countByStatus(Object.values(state.units))).toEqual({ready: 3, in_progress: 1, blocked: 0, done: 1});
  });
});
