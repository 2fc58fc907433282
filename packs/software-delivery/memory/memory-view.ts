// Nodes and edges of one or more shards, as one graph.
import type {MemoryEdge, MemoryNode} from './memory-node.ts';
import type {MemoryShard} from './memory-shard.ts';

export interface MemoryView {
  readonly nodes: ReadonlyMap<string, MemoryNode>;
  readonly edges: readonly MemoryEdge[];
}

export function joinShards(shards: readonly MemoryShard[]): MemoryView {
  const edges = new Map(
    shards.flatMap((shard) => shard.edges).map((edge) => [`${edge.kind} ${edge.from} ${edge.to}`, edge]),
  );
  return {
    nodes: new Map(shards.flatMap((shard) => Object.entries(shard.nodes))),
    edges: [...edges.values()],
  };
}
