// mem:search finds nodes by words, best match first.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {filterNodes, type NodeFilter} from '../../memory/filter-nodes.ts';
import {openMemory} from '../../memory/memory.ts';
import type {MemoryNode} from '../../memory/memory-node.ts';
import {searchNodes} from '../../memory/search-nodes.ts';
import type {PackConfig} from '../../pack-config.ts';

interface MemorySearchInput extends NodeFilter {
  readonly query: string;
  /** Default 20. */
  readonly limit?: number;
}

interface FoundNode extends Pick<
  MemoryNode,
  'id' | 'type' | 'lifecycle' | 'created_at' | 'priority' | 'tags' | 'wu_id'
> {
  readonly open: boolean;
  readonly score: number;
  readonly snippet: string;
}

interface MemorySearchOutput {
  readonly hits: readonly FoundNode[];
  /** Number of matches, before the limit. */
  readonly total: number;
}

export const memorySearch: ToolDefinition<MemorySearchInput, MemorySearchOutput, PackConfig> = defineTool({
  async run({query, limit = 20, ...filter}, context) {
    const wuIds = filter.wu_id === undefined ? undefined : [filter.wu_id];
    const {nodes} = await openMemory(openDeliveryLog(context)).view(wuIds);
    const {hits, total} = searchNodes(filterNodes(nodes, filter), query);
    return {hits: hits.slice(0, limit).map(({node, ...hit}) => ({...factsOf(node), ...hit})), total};
  },
});

function factsOf({
  id,
  type,
  lifecycle,
  created_at,
  priority,
  tags,
  wu_id,
  closed,
}: MemoryNode): Omit<FoundNode, 'score' | 'snippet'> {
  return {
    id,
    type,
    lifecycle,
    created_at,
    priority,
    tags,
    ...(wu_id !== undefined && {wu_id}),
    open: closed === undefined,
  };
}
