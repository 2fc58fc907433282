// mem:promote turns knowledge from one WU into project knowledge, which is kept.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {openMemory, openNodeIn} from '../../memory/memory.ts';
import type {MemoryNode} from '../../memory/memory-node.ts';
import {eventsOfNode, newNode} from '../../memory/new-node.ts';
import type {PackConfig} from '../../pack-config.ts';

/** The kind of knowledge. */
type Knowledge = 'decision' | 'convention' | 'pattern' | 'pitfall' | 'interface' | 'invariant' | 'faq';

interface MemoryPromoteInput {
  readonly id: string;
  readonly as: Knowledge;
  /** Reworded content for readers who do not know the WU. Default: unchanged. */
  readonly content?: string;
  readonly tags?: readonly string[];
  readonly dry_run?: boolean;
}

interface MemoryPromoteOutput {
  /** The new node. The old one is closed as promoted. */
  readonly node: MemoryNode;
  readonly dry_run: boolean;
}

export const memoryPromote: ToolDefinition<MemoryPromoteInput, MemoryPromoteOutput, PackConfig> = defineTool({
  async run({id, as, content, tags = [], dry_run: dryRun = false}, context) {
    const stamp = stampOf(context);
    const uuid = crypto.randomUUID();
    // Belongs to no WU, so it outlives this one and is found as project knowledge.
    return await openMemory(openDeliveryLog(context)).decide({node: id}, (shard) => {
      const from = openNodeIn(shard, id);
      const node = newNode(
        {
          content: content ?? from.content,
          type: 'note',
          lifecycle: 'project',
          priority: from.priority,
          tags: [as, ...from.tags, ...tags],
          metadata: {
            ...from.metadata,
            promoted_from: id,
            ...(from.wu_id !== undefined && {promoted_from_wu: from.wu_id}),
          },
        },
        {uuid, session_id: context.session_id},
      );
      const events = [
        ...eventsOfNode(node, [{kind: 'discovered_from', from: node.id, to: id}], stamp),
        {type: 'memory_closed', ...stamp, ids: [id], as: 'promoted', into: node.id} as const,
      ];
      const result = {node: {...node, created_at: stamp.at, created_by: stamp.by}, dry_run: dryRun};
      return {events: dryRun ? [] : events, result};
    });
  },
});
