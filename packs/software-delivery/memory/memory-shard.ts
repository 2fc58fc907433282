// Memory is folded in shards, each with a snapshot of its own: what concerns one WU is read without the rest, and no
// snapshot outgrows what one document holds. A WU's nodes share a shard, and so do those of no WU.
import type {Slice} from '../events/slice.ts';
import type {MemoryEvent} from './memory-events.ts';
import type {MemoryEdge, MemoryNode} from './memory-node.ts';

export interface MemoryShard {
  readonly nodes: Record<string, MemoryNode>;
  /** Those of which either end is here. */
  edges: MemoryEdge[];
}

const shardCount = 16;

/** The digit that the ids of a WU's nodes begin with. */
export function shardOfWu(wuId: string | undefined): number {
  // FNV-1a: spreads names that differ in a digit.
  let hash = 0x811c9dc5;
  for (const char of wuId ?? '') hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return (((hash >>> 16) ^ hash) & 0xffff) % shardCount;
}

export function shardOfNode(id: string): number {
  return Number.parseInt(id.charAt('mem-'.length), 16);
}

/** `uuid` lends all digits but the one that says the shard. */
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

/** The slice of a shard's number. */
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
      // Of another domain.
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
