// What can be started next: open nodes without open blockers.
import {byAge, type MemoryNode, type MemoryType} from './memory-node.ts';
import type {MemoryView} from './memory-view.ts';

export interface ReadyQuery {
  readonly wu_id?: string;
  /** Default: discoveries and notes. The other types are not work to do. */
  readonly types?: readonly MemoryType[];
}

export interface ReadyNodes {
  /** By priority, then age. */
  readonly ready: readonly MemoryNode[];
  readonly blocked: readonly {readonly node: MemoryNode; readonly blocked_by: readonly string[]}[];
}

export function readyNodes(view: MemoryView, {wu_id: wuId, types = ['discovery', 'note']}: ReadyQuery): ReadyNodes {
  const blockers = openBlockers(view);
  const open = [...view.nodes.values()]
    .filter((node) => node.closed === undefined && types.includes(node.type))
    .filter((node) => wuId === undefined || node.wu_id === wuId)
    .toSorted((a, b) => Number(a.priority.slice(1)) - Number(b.priority.slice(1)) || byAge(a, b));
  return {
    ready: open.filter(({id}) => !blockers.has(id)),
    blocked: open.flatMap((node) => {
      const blockedBy = blockers.get(node.id);
      return blockedBy === undefined ? [] : [{node, blocked_by: blockedBy}];
    }),
  };
}

/** By the id of the blocked node. A deleted or closed blocker blocks nothing. */
function openBlockers({nodes, edges}: MemoryView): ReadonlyMap<string, readonly string[]> {
  const blockers = new Map<string, string[]>();
  for (const {kind, from, to} of edges) {
    const blocker = nodes.get(from);
    if (kind !== 'blocks' || blocker === undefined || blocker.closed !== undefined) continue;
    blockers.set(to, [...(blockers.get(to) ?? []), from]);
  }
  return blockers;
}
