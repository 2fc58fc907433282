// mem:create stores a piece of knowledge, with its relations to others.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {openMemory, type Memory} from '../../memory/memory.ts';
import type {MemoryEdge, MemoryNode} from '../../memory/memory-node.ts';
import {checkNoCycle, edgeOf, eventsOfNode, newNode, type NodeInput, type NodeLink} from '../../memory/new-node.ts';
import {unitOfCall} from '../../memory/unit-of-call.ts';
import type {PackConfig} from '../../pack-config.ts';

interface MemoryCreateInput extends NodeInput {
  readonly wu_id?: string;
  readonly links?: readonly NodeLink[];
  readonly dry_run?: boolean;
}

interface MemoryCreateOutput {
  readonly node: MemoryNode;
  readonly dry_run: boolean;
}

export const memoryCreate: ToolDefinition<MemoryCreateInput, MemoryCreateOutput, PackConfig> = defineTool({
  async run(input, context) {
    const {links = [], dry_run: dryRun = false, ...given} = input;
    const log = openDeliveryLog(context);
    const wuId = (await unitOfCall(input, context, log))?.spec.id;
    const memory = openMemory(log);
    const node = newNode({...given, wu_id: wuId}, {uuid: crypto.randomUUID(), session_id: context.session_id});
    const edges = links.map((link) => edgeOf(node.id, link));
    await checkLinks(memory, links, edges);
    const stamp = stampOf(context);
    return await memory.decide({wu: wuId}, () => ({
      events: dryRun ? [] : eventsOfNode(node, edges, stamp),
      result: {node: {...node, created_at: stamp.at, created_by: stamp.by}, dry_run: dryRun},
    }));
  },
});

async function checkLinks(memory: Memory, links: readonly NodeLink[], edges: readonly MemoryEdge[]): Promise<void> {
  for (const {node} of links) await memory.node(node);
  // Only a node that blocks and is blocked can close a cycle. For others, memory need not be read.
  const relations = new Set(links.map(({relation}) => relation));
  if (relations.has('blocks') && relations.has('blocked_by')) checkNoCycle(await memory.view(), edges);
}
