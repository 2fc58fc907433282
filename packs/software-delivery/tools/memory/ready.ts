// mem:ready lists what can be started next.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {openMemory} from '../../memory/memory.ts';
import type {MemoryNode} from '../../memory/memory-node.ts';
import {readyNodes, type ReadyQuery} from '../../memory/ready-nodes.ts';
import type {PackConfig} from '../../pack-config.ts';

interface MemoryReadyInput extends ReadyQuery {
  /** Default 20. */
  readonly limit?: number;
}

interface MemoryReadyOutput {
  readonly ready: readonly MemoryNode[];
  /** Number of matches, before the limit. */
  readonly total: number;
  readonly blocked: readonly {readonly id: string; readonly blocked_by: readonly string[]}[];
}

export const memoryReady: ToolDefinition<MemoryReadyInput, MemoryReadyOutput, PackConfig> = defineTool({
  async run({limit = 20, ...query}, context) {
    const {wu_id: wuId} = query;
    const view = await openMemory(openDeliveryLog(context)).view(wuId === undefined ? undefined : [wuId]);
    const {ready, blocked} = readyNodes(view, query);
    return {
      ready: ready.slice(0, limit),
      total: ready.length,
      blocked: blocked.slice(0, limit).map(({node, blocked_by}) => ({id: node.id, blocked_by})),
    };
  },
});
