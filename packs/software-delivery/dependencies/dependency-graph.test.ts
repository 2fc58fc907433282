import {isToolError} from '@lumenflow/pack-sdk';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {checkLinks} from '../work-units/check-links.ts';
import {created, given, specOf} from '../work-units/work-unit-events.fixture.ts';
import {around, dependenciesAmong, dependencyGraph, findCycle, followersOf} from './dependency-graph.ts';

const chain = (...ids: readonly string[]): {id: string; depends_on: string[]}[] =>
  ids.map((id, index) => ({id, depends_on: ids.slice(index + 1, index + 2)}));

describe('the dependency graph', () => {
  it('treats `depends_on` of one and `blocks` of the other as the same', () => {
    const graph = dependencyGraph([{id: 'A', depends_on: ['B']}, {id: 'B', blocks: ['A', 'C']}, {id: 'C'}]);
    expect([...graph]).toEqual([
      ['A', ['B']],
      ['B', []],
      ['C', ['B']],
    ]);
    expect(followersOf(graph).get('B')).toEqual(['A', 'C']);
  });

  it('is the same for single ids as for all', () => {
    const {units} = given(
      created(1, {depends_on: ['WU-2', 'WU-9']}),
      created(2),
      created(3, {blocks: ['WU-1', 'WU-2']}),
    );
    const graph = dependencyGraph(Object.values(units).map(({spec}) => spec));
    for (const id of ['WU-1', 'WU-2', 'WU-3']) expect(dependenciesAmong(units)(id)).toEqual(graph.get(id));
    expect(dependenciesAmong(units)('WU-4')).toEqual([]);
  });

  it('returns the shortest cycle from the given start', () => {
    const graph = dependencyGraph([...chain('A', 'B', 'C'), {id: 'C', depends_on: ['B', 'A']}]);
    expect(findCycle(graph, 'A')).toEqual(['A', 'B', 'C', 'A']);
    expect(findCycle(dependencyGraph([{id: 'A', depends_on: ['A']}]), 'A')).toEqual(['A', 'A']);
    expect(findCycle(dependencyGraph(chain('A', 'B')), 'A')).toBeUndefined();
  });

  it('finds a cycle exactly if there is one', () => {
    const edges = fc.array(fc.tuple(fc.nat(6), fc.nat(6)), {maxLength: 12});
    fc.assert(
      fc.property(edges, (pairs) => {
        const graph = dependencyGraph(pairs.map(([from, to]) => ({id: String(from), depends_on: [String(to)]})));
        const comesBack = (id: string, from: string, seen: readonly string[] = []): boolean =>
          (graph.get(from) ?? []).some(
            (next) => next === id || (!seen.includes(next) && comesBack(id, next, [...seen, next])),
          );
        for (const id of graph.keys()) {
          const cycle = findCycle(graph, id);
          expect(cycle !== undefined).toBe(comesBack(id, id));
          for (const [index, each] of (cycle ?? []).slice(1).entries())
            expect(graph.get(cycle?.[index] ?? '')).toContain(each);
        }
      }),
    );
  });

  it('is fast in a long chain', () => {
    const ids = Array.from({length: 10_000}, (_, index) => `WU-${index}`);
    const graph = dependencyGraph(chain(...ids));
    expect(findCycle(graph, 'WU-0')).toBeUndefined();
    expect(around(graph, 'WU-5000').size).toBe(10_000);
  });

  it('returns everything connected to a unit, and nothing else', () => {
    const graph = dependencyGraph([...chain('A', 'B', 'C'), ...chain('X', 'C'), {id: 'Y'}]);
    expect([...around(graph, 'B')].toSorted()).toEqual(['A', 'B', 'C']);
  });
});

describe('the links of a spec', () => {
  const state = given(created(1, {depends_on: ['WU-2']}), created(2), created(3));
  const codeOf = (spec: ReturnType<typeof specOf>): string => {
    try {
      checkLinks(state, spec);
      return 'sound';
    } catch (error) {
      return isToolError(error) ? `${error.code}: ${error.message}` : String(error);
    }
  };

  it.each([
    [specOf(4, {depends_on: ['WU-1'], blocks: ['WU-3'], fixes: 'WU-2'}), 'sound'],
    [
      specOf(4, {depends_on: ['WU-8'], blocks: ['WU-9'], fixes: 'WU-7'}),
      'DEPENDENCY_UNKNOWN: `WU-4` names unknown work units: `WU-8`, `WU-9`, `WU-7`',
    ],
    [specOf(4, {depends_on: ['WU-4']}), 'DEPENDENCY_CYCLE: work units would depend on each other: WU-4 -> WU-4'],
    [
      specOf(4, {depends_on: ['WU-1'], blocks: ['WU-2']}),
      'DEPENDENCY_CYCLE: work units would depend on each other: WU-4 -> WU-1 -> WU-2 -> WU-4',
    ],
    [specOf(2, {depends_on: ['WU-3']}), 'sound'],
    [
      specOf(2, {depends_on: ['WU-1']}),
      'DEPENDENCY_CYCLE: work units would depend on each other: WU-2 -> WU-1 -> WU-2',
    ],
  ])('%j', (spec, expected) => {
    expect(codeOf(spec)).toBe(expected);
  });
});
