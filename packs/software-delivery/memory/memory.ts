// Memory in the delivery log: the shards that a query reads, and the state that a change is decided on.
import {ToolError} from '@lumenflow/pack-sdk';
import type {Decision, DeliveryLog} from '../events/delivery-log.ts';
import type {MemoryEvent} from './memory-events.ts';
import type {MemoryNode} from './memory-node.ts';
import {memorySlice, memorySlices, shardOfNode, shardOfWu, type MemoryShard} from './memory-shard.ts';
import {joinShards, type MemoryView} from './memory-view.ts';

export interface Memory {
  /** Nodes of these WUs, nodes without a WU, and the nodes linked to either. Everything without `wuIds`. */
  view(wuIds?: readonly string[]): Promise<MemoryView>;
  /** Throws ToolError NODE_NOT_FOUND. */
  node(id: string): Promise<MemoryNode>;
  /** Decides on the shard of the node, or of the WU's nodes. */
  decide<Result>(
    of: {readonly node: string} | {readonly wu: string | undefined},
    decide: (shard: MemoryShard) => Decision<MemoryEvent, Result>,
  ): Promise<Result>;
}

export function openMemory(log: DeliveryLog): Memory {
  const readShards = async (shards: Iterable<number>): Promise<readonly MemoryShard[]> =>
    await log.readTogether([...shards].map((shard) => memorySlice(shard)));
  return {
    async view(wuIds) {
      if (wuIds === undefined) return joinShards(await readShards(memorySlices.keys()));
      const asked = new Set([shardOfWu(undefined), ...wuIds.map(shardOfWu)]);
      const shards = await readShards(asked);
      const linked = new Set(shards.flatMap(({edges}) => edges.flatMap(({from, to}) => [from, to])).map(shardOfNode));
      return joinShards([...shards, ...(await readShards([...linked].filter((shard) => !asked.has(shard))))]);
    },
    async node(id) {
      return nodeIn(await log.read(memorySlice(shardOfNode(id))), id);
    },
    decide: async (of, decide) =>
      await log.decide(memorySlice('node' in of ? shardOfNode(of.node) : shardOfWu(of.wu)), decide),
  };
}

/** Throws ToolError NODE_NOT_FOUND. */
export function nodeIn({nodes}: MemoryShard, id: string): MemoryNode {
  const node = nodes[id];
  if (node !== undefined) return node;
  throw new ToolError('NODE_NOT_FOUND', `there is no node \`${id}\`: run \`mem:search\` or \`mem:ready\` to see ids`, {
    id,
  });
}

/** Throws ToolError NODE_NOT_FOUND, and NODE_CLOSED. */
export function openNodeIn(shard: MemoryShard, id: string): MemoryNode {
  const node = nodeIn(shard, id);
  if (node.closed === undefined) return node;
  const {as, into} = node.closed;
  throw new ToolError('NODE_CLOSED', `\`${id}\` was ${as} already${into === undefined ? '' : `, as \`${into}\``}`, {
    id,
    ...node.closed,
  });
}
