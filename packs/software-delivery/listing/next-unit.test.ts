import {describe, expect, it} from 'vitest';
import {claimed, completed, created, given, later} from '../work-units/work-unit-events.fixture.ts';
import {nextUnit, type NextQuestion, type NextUnit} from './next-unit.ts';

const question: NextQuestion = {
  by: 's2',
  at: later(5).at,
  wip_limits: new Map([
    ['core', 3],
    ['web', 1],
  ]),
  limit: 5,
};
const at = (minutes: number, number: number, more: object = {}) => ({...created(number, more), ...later(minutes)});
const next = (state: Parameters<typeof nextUnit>[0], more: Partial<NextQuestion> = {}): NextUnit =>
  nextUnit(state, {...question, ...more});

describe('the next work unit', () => {
  it('has the highest priority', () => {
    const {next: found, why} = next(given(created(1), created(2, {priority: 'P0'})));
    expect(found?.id).toBe('WU-2');
    expect(why).toContain('highest priority (P0)');
  });

  it('among equal priorities is the one that most unfinished work waits for, directly or not', () => {
    const {next: found, why} = next(
      given(
        at(0, 1),
        at(1, 2, {blocks: ['WU-3']}),
        at(2, 3),
        at(3, 4, {depends_on: ['WU-3']}),
        at(4, 5, {depends_on: ['WU-1']}),
        at(4, 6, {depends_on: ['WU-1']}),
        completed(5),
        completed(6),
      ),
    );
    expect(found).toMatchObject({id: 'WU-2', dependents: 2});
    expect(why).toContain('most work units wait for it (2)');
  });

  it('among equal ones is the oldest, by time and then by number', () => {
    expect(next(given(at(5, 1), at(4, 2))).next?.id).toBe('WU-2');
    const {alternatives, next: found} = next(given(at(1, 10), at(1, 9)));
    expect([found, ...alternatives].map((each) => each?.id)).toEqual(['WU-9', 'WU-10']);
  });

  it('among equal priorities is the one of the caller, and never one of another', () => {
    const assign = (number: number, assignee: string) =>
      ({type: 'wu_assigned', ...later(1), id: `WU-${number}`, assignee}) as const;
    const state = given(at(0, 1), at(1, 2), at(2, 3), at(3, 4), assign(2, 'bob'), assign(3, 'ada'));
    const found = next(state, {actor: 'ada'});
    expect(found).toMatchObject({next: {id: 'WU-3'}, alternatives: [{id: 'WU-1'}, {id: 'WU-4'}]});
    expect(found.why).toContain('assigned to you');
    expect(found.blocked).toMatchObject([{id: 'WU-2', obstacles: [{code: 'ASSIGNED'}]}]);
    expect(next(state).next?.id).toBe('WU-1');
  });

  it('can be claimed, and the result explains what blocks the others', () => {
    const state = given(
      created(1, {priority: 'P0', depends_on: ['WU-4']}),
      created(2, {priority: 'P0', code_paths: ['src/4/a.ts']}),
      created(3, {priority: 'P0', lane: 'web'}),
      created(4),
      created(5, {lane: 'web'}),
      created(6, {priority: 'P3'}),
      claimed(4, 1),
      claimed(5, 2, later(0, 's2')),
    );
    const found = next(state);
    expect(found.next?.id).toBe('WU-6');
    expect(found.why).toContain('only ready work unit that can be claimed');
    expect(found.held).toEqual(['WU-5']);
    expect(found.blocked.map(({id, obstacles}) => [id, obstacles.map(({code}) => code)])).toEqual([
      ['WU-1', ['DEPENDENCY_NOT_DONE']],
      ['WU-2', ['CODE_PATHS_OVERLAP']],
      ['WU-3', ['LANE_FULL']],
    ]);
    expect(next(state, {limit: 1})).toMatchObject({blocked: [{id: 'WU-1'}], omitted: 2});
    expect(next(state, {lane: 'web'})).toMatchObject({
      why: 'no ready work unit in lane `web` can be claimed now: `blocked` lists the reasons',
      blocked: [{id: 'WU-3'}],
    });
  });

  it('is absent if nothing is ready', () => {
    expect(next(given())).toEqual({why: 'no work unit is ready', held: [], alternatives: [], blocked: [], omitted: 0});
  });
});
