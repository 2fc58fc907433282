import {describe, expect, it} from 'vitest';
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {WuEvent} from '../work-units/wu-event.ts';
import type {WuSpec} from '../work-units/wu-spec.ts';
import {createInitiative, editInitiative} from './decide-initiative.ts';
import {assignWus, removeWu, type Assignment} from './decide-membership.ts';
import type {InitiativeEvent, InitiativeWords} from './initiative-events.ts';
import {measureProgress} from './initiative-progress.ts';
import {initiativeSlice, membersOf, type Initiatives} from './initiative-slice.ts';
import {orderPlan} from './order-plan.ts';

const stamp = {at: '2026-03-01T00:00:00.000Z', by: 'session-1'};
const words: InitiativeWords = {title: 'Faster', phases: ['Measure', 'Change'], success_metrics: [], status: 'active'};

const fold = (events: readonly (InitiativeEvent | WuEvent)[], before?: Initiatives): Initiatives =>
  events.reduce(
    (state, event) => initiativeSlice.evolve(state, event),
    structuredClone(before ?? initiativeSlice.initial),
  );

const one = fold(createInitiative(initiativeSlice.initial, words, stamp).events);
const two = fold(createInitiative(one, {...words, title: 'Safer'}, stamp).events, one);

const spec = (id: string, named: Partial<WuSpec> = {}): WuSpec => ({
  id,
  title: 'A work unit',
  lane: 'core',
  type: 'feature',
  priority: 'P2',
  description: 'What it is for',
  acceptance: ['It works'],
  code_paths: [],
  ...named,
});
const wrote = (type: 'wu_created' | 'wu_edited', id: string, named: Partial<WuSpec> = {}): WuEvent => ({
  type,
  ...stamp,
  id,
  spec: spec(id, named),
  spec_hash: 'x',
});
const assign = (state: Initiatives, assignments: readonly Assignment[], move = false): Initiatives =>
  fold(assignWus(state, assignments, {stamp, move}).events, state);

describe('an initiative', () => {
  it('has its own id and keeps its texts', () => {
    expect(two.initiatives).toEqual({
      'INIT-1': {id: 'INIT-1', created_at: stamp.at, ...words},
      'INIT-2': {id: 'INIT-2', created_at: stamp.at, ...words, title: 'Safer'},
    });
  });

  it('records only changed fields, and nothing if none changed', () => {
    const {events, result} = editInitiative(one, {id: 'INIT-1', changes: {title: 'Faster', status: 'done'}}, stamp);
    expect(events).toEqual([{type: 'initiative_edited', ...stamp, initiative: 'INIT-1', changes: {status: 'done'}}]);
    expect(result).toMatchObject({changed: ['status'], initiative: {status: 'done', title: 'Faster'}});
    expect(fold(events, one).initiatives['INIT-1']).toMatchObject({status: 'done'});
    expect(editInitiative(one, {id: 'INIT-1', changes: words}, stamp).events).toEqual([]);
  });

  it('keeps phases that have work units', () => {
    const state = assign(one, [{initiative: 'INIT-1', wu: 'WU-1', phase: 2}]);
    const edit = (phases: readonly string[]) => () => editInitiative(state, {id: 'INIT-1', changes: {phases}}, stamp);
    expect(edit(['Measure'])).toThrow(
      expect.objectContaining({code: 'PHASE_IN_USE', details: {initiative: 'INIT-1', wus: ['WU-1']}}),
    );
    expect(edit(['Look', 'Act', 'Rest'])).not.toThrow();
  });

  it('ignores events of unknown initiatives and of other domains', () => {
    const stray = {type: 'initiative_edited', ...stamp, initiative: 'INIT-9', changes: {title: 'x'}} as const;
    const foreign: DeliveryEvent = {type: 'mem_node_created', ...stamp};
    expect(fold([stray, foreign as InitiativeEvent], one)).toEqual(one);
  });
});

describe('a work unit', () => {
  it('joins and leaves an initiative by its spec, with the key of the plan', () => {
    const named = {initiative: 'INIT-1', phase: 1, labels: ['ui', 'plan:first']};
    const state = fold([wrote('wu_created', 'WU-1', named)], one);
    expect(membersOf(state, 'INIT-1')).toEqual([['WU-1', {initiative: 'INIT-1', phase: 1, key: 'first'}]]);
    expect(membersOf(fold([wrote('wu_edited', 'WU-1')], state), 'INIT-1')).toEqual([]);
  });

  it('stays in its initiative if an edit of its spec does not change it', () => {
    const created = fold([wrote('wu_created', 'WU-1', {initiative: 'INIT-1'})], two);
    const moved = assign(created, [{initiative: 'INIT-2', wu: 'WU-1'}], true);
    const edited = fold([wrote('wu_edited', 'WU-1', {initiative: 'INIT-1', title: 'Another title'})], moved);
    expect(membersOf(edited, 'INIT-2')).toHaveLength(1);
    expect(membersOf(edited, 'INIT-1')).toHaveLength(0);
    const renamed = fold([wrote('wu_edited', 'WU-1', {initiative: 'INIT-1', phase: 2})], edited);
    expect(membersOf(renamed, 'INIT-1')).toEqual([['WU-1', {initiative: 'INIT-1', phase: 2}]]);
  });

  it('leaves its initiative when it is deleted', () => {
    const state = fold([wrote('wu_created', 'WU-1', {initiative: 'INIT-1'})], one);
    expect(fold([{type: 'wu_deleted', ...stamp, id: 'WU-1', reason: 'x'}], state)).toEqual(one);
  });

  it('can be added once, moved to another phase, and removed', () => {
    const added = assign(one, [{initiative: 'INIT-1', wu: 'WU-1'}]);
    expect(assignWus(added, [{initiative: 'INIT-1', wu: 'WU-1'}], {stamp, move: false})).toEqual({
      events: [],
      result: {changed: [], unchanged: ['WU-1']},
    });
    const rephased = assign(added, [{initiative: 'INIT-1', wu: 'WU-1', phase: 2}]);
    expect(membersOf(rephased, 'INIT-1')).toEqual([['WU-1', {initiative: 'INIT-1', phase: 2}]]);
    const out = fold(removeWu(rephased, {initiative: 'INIT-1', wu: 'WU-1'}, stamp), rephased);
    expect(membersOf(out, 'INIT-1')).toEqual([]);
    expect(() => removeWu(out, {initiative: 'INIT-1', wu: 'WU-1'}, stamp)).toThrow(
      expect.objectContaining({code: 'WU_NOT_IN_INITIATIVE'}),
    );
  });

  it.each([
    ['INITIATIVE_NOT_FOUND', [{initiative: 'INIT-9', wu: 'WU-1'}]],
    ['INITIATIVE_NOT_FOUND', [{initiative: 'constructor', wu: 'WU-1'}]],
    ['PHASE_NOT_FOUND', [{initiative: 'INIT-1', wu: 'WU-1', phase: 3}]],
    [
      'ASSIGNED_TWICE',
      [
        {initiative: 'INIT-1', wu: 'WU-1'},
        {initiative: 'INIT-2', wu: 'WU-1'},
      ],
    ],
  ])('is rejected with %s', (code, assignments) => {
    expect(() => assignWus(two, assignments, {stamp, move: true})).toThrow(expect.objectContaining({code}));
  });

  it('is moved only on request, and never into a closed initiative', () => {
    const state = assign(two, [{initiative: 'INIT-1', wu: 'WU-1'}]);
    const to = [{initiative: 'INIT-2', wu: 'WU-1'}];
    expect(() => assignWus(state, to, {stamp, move: false})).toThrow(expect.objectContaining({code: 'WU_ELSEWHERE'}));
    expect(membersOf(assign(state, to, true), 'INIT-2')).toHaveLength(1);
    const over = fold(editInitiative(state, {id: 'INIT-2', changes: {status: 'cancelled'}}, stamp).events, state);
    expect(() => assignWus(over, to, {stamp, move: true})).toThrow(
      expect.objectContaining({code: 'INITIATIVE_CLOSED'}),
    );
  });
});

describe('progress', () => {
  it('is counted from the status of work units, in total and per phase', () => {
    const state = assign(one, [
      {initiative: 'INIT-1', wu: 'WU-10', phase: 1},
      {initiative: 'INIT-1', wu: 'WU-2', phase: 1},
      {initiative: 'INIT-1', wu: 'WU-3'},
      {initiative: 'INIT-1', wu: 'WU-99'},
    ]);
    const unit = (id: string, status: 'done' | 'blocked' | 'ready') => ({
      spec: spec(id),
      spec_hash: 'x',
      status,
      created_at: stamp.at,
      since: stamp.at,
    });
    const units = {'WU-10': unit('WU-10', 'done'), 'WU-2': unit('WU-2', 'blocked'), 'WU-3': unit('WU-3', 'ready')};
    const none = {ready: 0, in_progress: 0, blocked: 0, done: 0, total: 0};
    const initiative = one.initiatives['INIT-1'];
    if (initiative === undefined) throw new Error('no initiative');
    expect(measureProgress(state, initiative, units)).toMatchObject({
      counts: {...none, ready: 1, blocked: 1, done: 1, total: 3},
      percent: 33,
      phases: [
        {phase: 1, title: 'Measure', counts: {...none, blocked: 1, done: 1, total: 2}},
        {phase: 2, title: 'Change', counts: none},
      ],
      wus: [{id: 'WU-2', phase: 1}, {id: 'WU-3'}, {id: 'WU-10'}],
    });
    expect(measureProgress(one, initiative, units).percent).toBe(0);
  });
});

describe('a plan', () => {
  const isWu = (id: string): boolean => id === 'WU-7';

  it('is ordered by dependencies', () => {
    const plan = [{key: 'c', depends_on: ['b', 'WU-7']}, {key: 'b', depends_on: ['a']}, {key: 'a'}];
    expect(orderPlan(plan, isWu).map(({key}) => key)).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['PLAN_KEY_TWICE', '`a`', [{key: 'a'}, {key: 'a'}]],
    ['PLAN_KEY_UNKNOWN', '`b` depends on `WU-8`', [{key: 'a'}, {key: 'b', depends_on: ['WU-8']}]],
    [
      'PLAN_CYCLE',
      '`b` depends on `c` depends on `b`',
      [
        {key: 'a', depends_on: ['b']},
        {key: 'b', depends_on: ['c']},
        {key: 'c', depends_on: ['b']},
      ],
    ],
  ])('is rejected with %s', (code, message, wus) => {
    expect(() => orderPlan(wus, isWu)).toThrow(
      expect.objectContaining({code, message: expect.stringContaining(message)}),
    );
  });
});
