import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {MemoryEvent} from './memory-events.ts';
import type {MemoryEdge, MemoryNode} from './memory-node.ts';
import {memorySlices, nodeId, shardOfNode, shardOfWu} from './memory-shard.ts';
import {joinShards, type MemoryView} from './memory-view.ts';

const stamp = {at: '2026-01-01T00:00:00.000Z', by: 'session-1'};

/** All nodes and edges in one map, without shards: slow, but obviously correct. */
function foldPlainly(events: readonly MemoryEvent[]): MemoryView {
  const nodes = new Map<string, MemoryNode>();
  let edges: MemoryEdge[] = [];
  for (const event of events) {
    if (event.type === 'memory_created')
      nodes.set(event.node.id, {...event.node, created_at: event.at, created_by: event.by});
    if (event.type === 'memory_linked') edges.push(event.edge);
    if (event.type === 'memory_prioritized') {
      const node = nodes.get(event.id);
      if (node) nodes.set(event.id, {...node, priority: event.priority});
    }
    if (event.type === 'memory_closed') {
      for (const id of event.ids) {
        const node = nodes.get(id);
        if (node) nodes.set(id, {...node, closed: {as: event.as, at: event.at}});
      }
    }
    if (event.type === 'memory_reopened') {
      const {closed: _, ...node} = nodes.get(event.id) ?? {};
      if ('id' in node) nodes.set(event.id, node);
    }
    if (event.type === 'memory_forgotten') {
      for (const id of event.ids) nodes.delete(id);
      edges = edges.filter(({from, to}) => !event.ids.includes(from) && !event.ids.includes(to));
    }
  }
  return {nodes, edges: [...new Map(edges.map((edge) => [JSON.stringify(edge), edge])).values()]};
}

/** Events as the tools append them. Nodes are linked only while both exist. */
function history(choices: readonly {kind: number; wu: number; a: number; b: number}[]): readonly MemoryEvent[] {
  const ids: string[] = [];
  return choices.flatMap(({kind, wu, a, b}, index): MemoryEvent[] => {
    const pick = (at: number): string => ids[at % ids.length] ?? '';
    if (kind === 0 || ids.length === 0) {
      const wuId = wu === 0 ? undefined : `WU-${wu}`;
      const id = nodeId(wuId, index.toString(16).padStart(32, '0'));
      ids.push(id);
      const node = {
        id,
        type: 'note',
        lifecycle: 'session',
        content: `${index}`,
        priority: 'P2',
        tags: [],
        metadata: {},
      } as const;
      return [{type: 'memory_created', ...stamp, node: wuId === undefined ? node : {...node, wu_id: wuId}}];
    }
    if (kind === 1) return [{type: 'memory_linked', ...stamp, edge: {kind: 'blocks', from: pick(a), to: pick(b)}}];
    if (kind === 2) return [{type: 'memory_closed', ...stamp, ids: [pick(a)], as: 'resolved'}];
    if (kind === 3) return [{type: 'memory_reopened', ...stamp, id: pick(a)}];
    if (kind === 4) return [{type: 'memory_prioritized', ...stamp, id: pick(a), priority: 'P0'}];
    const gone = pick(a);
    ids.splice(ids.indexOf(gone), 1);
    return [{type: 'memory_forgotten', ...stamp, ids: [gone], reason: 'test'}];
  });
}

describe('memory in shards', () => {
  const choice = fc.record({kind: fc.nat(5), wu: fc.nat(40), a: fc.nat(), b: fc.nat()});

  it('equals memory without shards', () => {
    fc.assert(
      fc.property(fc.array(choice, {maxLength: 60}), (choices) => {
        const events = history(choices);
        const states = memorySlices.map((slice) =>
          events.reduce((state, event) => slice.evolve(state, event), structuredClone(slice.initial)),
        );
        const joined = joinShards(states);
        const plain = foldPlainly(events);
        expect(joined.nodes).toEqual(plain.nodes);
        const asText = (edges: readonly MemoryEdge[]): string[] => edges.map((edge) => JSON.stringify(edge)).toSorted();
        expect(asText(joined.edges)).toEqual(asText(plain.edges));
      }),
    );
  });

  it('keeps the nodes of one WU together, and WUs apart', () => {
    fc.assert(
      fc.property(fc.integer({min: 1, max: 99_999}), fc.uuid(), (number, uuid) => {
        const id = nodeId(`WU-${number}`, uuid);
        expect(id).toMatch(/^mem-[0-9a-f]{32}$/);
        expect(shardOfNode(id)).toBe(shardOfWu(`WU-${number}`));
      }),
    );
    const counts = Array.from(memorySlices, () => 0);
    for (let number = 1; number <= 1600; number += 1) counts[shardOfWu(`WU-${number}`)]! += 1;
    expect(Math.min(...counts)).toBeGreaterThan(50);
    expect(Math.max(...counts)).toBeLessThan(200);
  });
});
