// Memory is folded in shards, each with its own snapshot. A WU is read without the rest, and no snapshot exceeds the size of one
// document. The nodes of a WU share a shard, and so do those without a WU.
import type {Slice} from '../events/slice.ts';
import type {MemoryEvent} from './memory-events.ts';
import type {MemoryEdge, MemoryNode} from './memory-node.ts';

export interface MemoryShard {
  readonly nodes: Record<string, MemoryNode>;
  /** Edges with at least one end in this shard. */
  edges: MemoryEdge[];
}

const shardCount = 16;

/** The first digit of the ids of a WU's nodes. */
export function shardOfWu(wuId: string | undefined): number {
  // FNV-1a: spreads names that differ in one digit.
  let hash = 0x811c9dc5;
  for (const char of wuId ?? '') hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return (((hash >>> 16) ^ hash) & 0xffff) % shardCount;
}

export function shardOfNode(id: string): number {
  return Number.parseInt(id.charAt('mem-'.length), 16);
}

/** `uuid` provides all digits except the one of the shard. */
export function nodeId(wuId: string | undefined, uuid: string): string {
  return `mem-${shardOfWu(wuId).toString(16)}${uuid.replaceAll('-', '').slice(1)}`;
}

export const memorySlices: readonly Slice<MemoryShard, MemoryEvent>[] = Array.from(
  {length: shardCount},
  (_, shard) => ({
    name: `memory-${shard.toString(16)}`,
    version: 1,
    initial: {nodes: {}, edges: []},
    evolve: (state, event) => evolve(state, event, shard),
  }),
);

/** The slice of a shard. */
export function memorySlice(shard: number): Slice<MemoryShard, MemoryEvent> {
  const slice = memorySlices[shard];
  if (slice === undefined) throw new RangeError(`there is no memory shard ${shard}`);
  return slice;
}

function evolve(state: MemoryShard, event: MemoryEvent, shard: number): MemoryShard {
  const {nodes} = state;
  switch (event.type) {
    case 'memory_created': {
      const {node, at, by} = event;
      if (shardOfNode(node.id) === shard) nodes[node.id] = {...node, created_at: at, created_by: by};
      break;
    }
    case 'memory_linked':
      if ([event.edge.from, event.edge.to].some((id) => nodes[id] !== undefined)) state.edges.push(event.edge);
      break;
    case 'memory_prioritized':
      change(nodes, event.id, (node) => ({...node, priority: event.priority}));
      break;
    case 'memory_closed': {
      const {type: _type, ids, by: _by, ...closed} = event;
      for (const id of ids) change(nodes, id, (node) => ({...node, closed}));
      break;
    }
    case 'memory_reopened':
      change(nodes, event.id, ({closed: _closed, ...node}) => node);
      break;
    case 'memory_forgotten':
      forget(state, event.ids);
      break;
    default:
      // Belongs to another domain.
      event satisfies never;
  }
  return state;
}

function change(nodes: Record<string, MemoryNode>, id: string, changed: (node: MemoryNode) => MemoryNode): void {
  const node = nodes[id];
  if (node !== undefined) nodes[id] = changed(node);
}

function forget(state: MemoryShard, ids: readonly string[]): void {
  const gone = new Set(ids);
  for (const id of ids) delete state.nodes[id];
  state.edges = state.edges.filter(({from, to}) => !gone.has(from) && !gone.has(to));
}
