import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {findBottlenecks} from './find-bottlenecks.ts';
import type {Timeline} from './timeline.ts';
import {dayMs} from './window.ts';

const now = Date.parse('2026-03-10T00:00:00Z');
const aged = (
  days: number,
  status: Timeline['status'],
  dependsOn: readonly string[] = [],
  lane = 'core',
): Timeline => ({
  lane,
  type: 'feature',
  created: now - days * dayMs,
  status,
  since: now - days * dayMs,
  depends_on: dependsOn,
});

describe('findBottlenecks', () => {
  it('weighs age by the number of dependents, and omits units that wait themselves', () => {
    const found = findBottlenecks(
      [
        ['WU-1', aged(2, 'blocked')],
        ['WU-2', aged(30, 'ready', ['WU-1'])],
        ['WU-3', aged(1, 'ready', ['WU-2'], 'docs')],
        ['WU-4', aged(3, 'in_progress')],
        ['WU-5', aged(9, 'done')],
        ['WU-6', aged(1, 'ready', ['WU-5'])],
      ],
      now,
    );
    expect(found.wus).toEqual([
      {wu: 'WU-1', lane: 'core', status: 'blocked', age_hours: 48, holds_up: ['WU-2', 'WU-3'], score: 6},
      {wu: 'WU-4', lane: 'core', status: 'in_progress', age_hours: 72, holds_up: [], score: 3},
      {wu: 'WU-6', lane: 'core', status: 'ready', age_hours: 24, holds_up: [], score: 1},
    ]);
    expect(found.lanes).toEqual([{lane: 'core', in_progress: 1, blocked: 1, waiting: 1}]);
  });

  it('shows the chosen units, with their dependents elsewhere', () => {
    const wus = [
      ['WU-1', aged(1, 'blocked')],
      ['WU-2', aged(1, 'ready', ['WU-1'], 'docs')],
      ['WU-3', aged(1, 'ready', [], 'docs')],
    ] as const;
    const chosen = (...ids: string[]): unknown =>
      findBottlenecks(wus, now, (id) => ids.includes(id)).wus.map(({wu, holds_up: delayed}) => [wu, delayed]);
    expect(chosen('WU-1')).toEqual([['WU-1', ['WU-2']]]);
    expect(chosen('WU-2', 'WU-3')).toEqual([['WU-3', []]]);
  });

  it('sorts lanes by waiting units per active unit', () => {
    const wus = ['a', 'b', 'b', 'b'].map((lane, index) => [`WU-${index}`, aged(1, 'ready', [], lane)] as const);
    expect(findBottlenecks([...wus, ['WU-9', aged(1, 'in_progress', [], 'a')]], now).lanes).toEqual([
      {lane: 'b', in_progress: 0, blocked: 0, waiting: 3},
      {lane: 'a', in_progress: 1, blocked: 0, waiting: 1},
    ]);
  });

  it('counts direct and indirect dependents, also in cycles', () => {
    const graph = fc.array(fc.array(fc.nat({max: 9}), {maxLength: 3}), {minLength: 1, maxLength: 10});
    fc.assert(
      fc.property(graph, (edges) => {
        const wus = edges.map(
          (to, index) =>
            [
              `WU-${index}`,
              aged(
                1,
                'blocked',
                to.map((number) => `WU-${number}`),
              ),
            ] as const,
        );
        const dependsOn = (from: string, on: string, seen: readonly string[] = []): boolean =>
          (wus.find(([id]) => id === from)?.[1].depends_on ?? []).some(
            (next) => next === on || (!seen.includes(next) && dependsOn(next, on, [...seen, next])),
          );
        for (const {wu, holds_up: delayed} of findBottlenecks(wus, now).wus) {
          const expected = wus.map(([id]) => id).filter((id) => id !== wu && dependsOn(id, wu));
          expect(delayed.toSorted()).toEqual(expected.toSorted());
        }
      }),
    );
  });
});
