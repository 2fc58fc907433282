// Creates a node from a caller's input, with the edges to other nodes.
import {ToolError} from '@lumenflow/pack-sdk';
import type {EventStamp} from '../events/delivery-event.ts';
import type {MemoryCreated, MemoryLinked} from './memory-events.ts';
import type {Lifecycle, MemoryEdge, MemoryPriority, MemoryType, Metadata, NewNode} from './memory-node.ts';
import {nodeId} from './memory-shard.ts';
import type {MemoryView} from './memory-view.ts';

export interface NodeInput {
  readonly content: string;
  /** Default `note`. */
  readonly type?: MemoryType;
  /** Default: `wu` if the node belongs to a WU, otherwise `session`. */
  readonly lifecycle?: Lifecycle;
  readonly wu_id?: string | undefined;
  /** Default P2. */
  readonly priority?: MemoryPriority;
  readonly tags?: readonly string[];
  readonly metadata?: Metadata;
}

export type Relation = 'blocks' | 'blocked_by' | 'parent_of' | 'child_of' | 'related' | 'discovered_from' | 'origin_of';

/** A relation, from the view of the new node. */
export interface NodeLink {
  readonly relation: Relation;
  readonly node: string;
}

/** Throws ToolError EMPTY_CONTENT, and LIFECYCLE_NEEDS_WU for a node that would accidentally be kept forever. */
export function newNode(
  input: NodeInput,
  {uuid, session_id}: {readonly uuid: string; readonly session_id: string},
): NewNode {
  const {content, wu_id: wuId, type = 'note', priority = 'P2', tags = [], metadata = {}} = input;
  if (content.trim() === '') throw new ToolError('EMPTY_CONTENT', 'a node needs content');
  const lifecycle = input.lifecycle ?? (wuId === undefined ? 'session' : 'wu');
  if (lifecycle === 'wu' && wuId === undefined) {
    throw new ToolError('LIFECYCLE_NEEDS_WU', 'the lifecycle `wu` needs a `wu_id`');
  }
  return {
    id: nodeId(wuId, uuid),
    type,
    lifecycle,
    content,
    ...(wuId !== undefined && {wu_id: wuId}),
    session_id,
    priority,
    tags: [...new Set(tags)],
    metadata,
  };
}

export function eventsOfNode(
  node: NewNode,
  edges: readonly MemoryEdge[],
  stamp: EventStamp,
): readonly (MemoryCreated | MemoryLinked)[] {
  return [
    {type: 'memory_created', ...stamp, node},
    ...edges.map((edge): MemoryLinked => ({type: 'memory_linked', ...stamp, edge})),
  ];
}

export function edgeOf(id: string, {relation, node}: NodeLink): MemoryEdge {
  return edgeMakers[relation](id, node);
}

const edgeMakers: Readonly<Record<Relation, (id: string, node: string) => MemoryEdge>> = {
  blocks: (from, to) => ({kind: 'blocks', from, to}),
  blocked_by: (to, from) => ({kind: 'blocks', from, to}),
  parent_of: (from, to) => ({kind: 'parent_child', from, to}),
  child_of: (to, from) => ({kind: 'parent_child', from, to}),
  related: (from, to) => ({kind: 'related', from, to}),
  discovered_from: (from, to) => ({kind: 'discovered_from', from, to}),
  origin_of: (to, from) => ({kind: 'discovered_from', from, to}),
};

/**
 * Nodes that block each other in a cycle would never be ready. Throws ToolError BLOCKS_CYCLE with the cycle. A new node can close
 * one only if it blocks an ancestor of one of its own blockers.
 */
export function checkNoCycle({edges}: Pick<MemoryView, 'edges'>, added: readonly MemoryEdge[]): void {
  const next = new Map<string, string[]>();
  for (const {kind, from, to} of [...edges, ...added]) {
    if (kind === 'blocks') next.set(from, [...(next.get(from) ?? []), to]);
  }
  for (const {from: start} of added.filter(({kind}) => kind === 'blocks')) {
    const circle = pathBack(start, next);
    if (circle === undefined) continue;
    const message = `these nodes would block each other: ${circle.map((id) => `\`${id}\``).join(' → ')}`;
    throw new ToolError('BLOCKS_CYCLE', message, {cycle: circle});
  }
}

/** Breadth-first, so the path is the shortest. */
function pathBack(start: string, next: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const paths: (readonly string[])[] = [[start]];
  const seen = new Set<string>();
  for (const path of paths) {
    for (const to of next.get(path.at(-1) ?? '') ?? []) {
      if (to === start) return [...path, to];
      if (seen.has(to)) continue;
      seen.add(to);
      paths.push([...path, to]);
    }
  }
  return undefined;
}
