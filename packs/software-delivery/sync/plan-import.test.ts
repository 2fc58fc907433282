import {expect, test} from 'vitest';
import type {DeliveryEvent} from '../events/delivery-event.ts';
import {claimed, completed, created, later, stamp} from '../work-units/work-unit-events.fixture.ts';
import {planImport, type ImportPlan} from './plan-import.ts';
import {readShared, type SharedEvent} from './shared-event.ts';
import {syncSlice, type SyncState} from './sync-slice.ts';

const fold = (...events: readonly DeliveryEvent[]): SyncState =>
  events.reduce((state, event) => syncSlice.evolve(state, event as never), structuredClone(syncSlice.initial));
const from = (origin: string, ...events: readonly DeliveryEvent[]): readonly SharedEvent[] =>
  events.map((event) => ({...event, origin}) as SharedEvent);
const plan = (state: SyncState, ...events: readonly SharedEvent[]): ImportPlan =>
  planImport(state, {tip: 'tip', events, clone: 'here', stamp});
const waiting = (state: SyncState): readonly string[] => state.pending.map(({type, id}) => `${type} ${id}`);
const commented = (number: number): DeliveryEvent =>
  ({type: 'wu_commented', ...stamp, id: `WU-${number}`, text: 'x'}) as DeliveryEvent;

test('events of this clone wait until the shared log has them; local ones and those of others never wait', () => {
  const briefed = {type: 'wu_briefed', ...stamp, id: 'WU-1'} as DeliveryEvent;
  const state = fold(
    created(1),
    briefed,
    {type: 'mem_created', ...stamp},
    ...from('there', commented(1)),
    commented(1),
  );
  expect(waiting(state)).toEqual(['wu_created WU-1', 'wu_commented WU-1']);
  const {events} = plan(state, ...from('here', created(1)), ...from('there', commented(1)));
  expect(events).toMatchObject([{type: 'sync_imported', own: 1, dropped: []}, {origin: 'there'}]);
  expect(waiting(fold(created(1), commented(1), ...events))).toEqual(['wu_commented WU-1']);
});

test('of two claims, the published one wins, and the other one is never published', () => {
  const mine = [claimed(1, 1), commented(1), completed(1), claimed(2, 2)];
  const {events, conflicts} = plan(fold(created(2), ...mine), ...from('there', claimed(1, 1, later(1, 's9'))));
  expect(conflicts).toEqual([{id: 'WU-1', kind: 'claim', theirs: 's9', at: later(1).at}]);
  const after = fold(created(2), ...mine, ...events);
  expect(waiting(after)).toEqual(['wu_created WU-2', 'wu_commented WU-1', 'wu_claimed WU-2']);
  expect(after.conflicts).toEqual(conflicts);
});

test('a claim that is being made and loses is not a conflict', () => {
  const events = from('there', claimed(1, 1, later(1, 's9')));
  const {conflicts, events: planned} = planImport(fold(claimed(1, 1)), {
    tip: 't',
    events,
    clone: 'here',
    stamp,
    claiming: 'WU-1',
  });
  expect([conflicts, waiting(fold(claimed(1, 1), ...planned))]).toEqual([[], []]);
});

test('a claim that has ended does not take the work unit from a newer one', () => {
  const ended = [claimed(1, 7), {type: 'wu_released', ...stamp, id: 'WU-1', token: 7, reason: 'x'}] as const;
  const mine = fold(claimed(1, 1));
  const {events, conflicts} = plan(mine, ...from('there', ...ended, commented(1)));
  expect([conflicts, events.map(({type}) => type)]).toEqual([[], ['sync_imported', 'wu_commented']]);
  expect(waiting(fold(claimed(1, 1), ...events))).toEqual(['wu_claimed WU-1']);
});

test('two work units with one id stay apart, also later', () => {
  const {events, conflicts} = plan(fold(created(1)), ...from('there', created(1), commented(1), created(2)));
  expect(conflicts).toMatchObject([{id: 'WU-1', kind: 'id'}]);
  expect(events.map(({type}) => type)).toEqual(['sync_imported', 'wu_created']);
  const state = fold(created(1), ...events, commented(1));
  expect(waiting(state)).toEqual([]);
  expect(plan(state, ...from('there', commented(1))).events).toHaveLength(1);
});

test('the later of two edits in the shared log is also the later one here', () => {
  const edit = {type: 'wu_assigned', ...stamp, id: 'WU-1', assignee: 'me'} as DeliveryEvent;
  const {events} = plan(fold(edit), ...from('there', {...edit, assignee: 'them'} as DeliveryEvent));
  expect(events.slice(1)).toMatchObject([{assignee: 'them'}, {assignee: 'me'}]);
});

test.each([
  ['not JSON', '{'],
  ['another domain', JSON.stringify({type: 'config_changed', ...stamp, id: 'WU-1', origin: 'x'})],
  ['a path as id', JSON.stringify({type: 'wu_commented', ...stamp, id: '../x', origin: 'x'})],
  ['no origin', JSON.stringify(commented(1))],
  ['no time', JSON.stringify({...commented(1), at: 'x', origin: 'x'})],
  ['an invalid spec', JSON.stringify({...created(1), spec: {id: 'WU-1'}, origin: 'x'})],
  ['the spec of another', JSON.stringify({...created(1), id: 'WU-2', origin: 'x'})],
])('another clone cannot send %s', (_, line) => {
  expect(readShared(line)).toBeUndefined();
});

test('a sound event is read', () => {
  expect(readShared(JSON.stringify({...created(1), origin: 'x'}))).toMatchObject({id: 'WU-1', origin: 'x'});
});
