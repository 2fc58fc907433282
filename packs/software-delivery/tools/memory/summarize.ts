// mem:summarize replaces a WU's working memory with one node.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import type {MemoryEvent} from '../../memory/memory-events.ts';
import {openMemory} from '../../memory/memory.ts';
import {eventsOfNode, newNode} from '../../memory/new-node.ts';
import {fitsSummary, summarizeNodes} from '../../memory/summarize-nodes.ts';
import type {PackConfig} from '../../pack-config.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface MemorySummarizeInput {
  readonly wu_id: string;
  /** The agent's own summary. Default: the nodes' texts. */
  readonly content?: string;
  readonly dry_run?: boolean;
}

interface MemorySummarizeOutput {
  readonly id: string;
  readonly content: string;
  /** The nodes that it replaces, closed as summarized. */
  readonly sources: readonly string[];
  readonly dry_run: boolean;
}

export const memorySummarize: ToolDefinition<MemorySummarizeInput, MemorySummarizeOutput, PackConfig> = defineTool({
  async run({wu_id: wuId, content: own, dry_run: dryRun = false}, context) {
    if (own !== undefined && !fitsSummary(own)) throw new ToolError('TOO_LARGE', 'a summary has at most 8192 bytes');
    const log = openDeliveryLog(context);
    findWorkUnit(await log.read(workUnitSlice), wuId);
    const made = {uuid: crypto.randomUUID(), session_id: context.session_id};
    const stamp = stampOf(context);
    return await openMemory(log).decide({wu: wuId}, (shard) => {
      const {content, sources} = summarizeNodes(wuId, Object.values(shard.nodes), own);
      if (sources.length === 0) throw nothingToSummarize(wuId);
      const node = newNode({content, type: 'summary', wu_id: wuId}, made);
      const ids = sources.map(({id}) => id);
      const events: readonly MemoryEvent[] = [
        ...eventsOfNode(node, [], stamp),
        {type: 'memory_closed', ...stamp, ids, as: 'summarized', into: node.id},
      ];
      return {events: dryRun ? [] : events, result: {id: node.id, content, sources: ids, dry_run: dryRun}};
    });
  },
});

function nothingToSummarize(wuId: string): ToolError {
  return new ToolError('NOTHING_TO_SUMMARIZE', `\`${wuId}\` has no open session, checkpoint or note`, {wu_id: wuId});
}
