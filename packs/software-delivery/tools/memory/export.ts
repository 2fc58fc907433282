// mem:export exports nodes as text.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {exportNodes, type Exported, type ExportFormat} from '../../memory/export-nodes.ts';
import {filterNodes, type NodeFilter} from '../../memory/filter-nodes.ts';
import {openMemory} from '../../memory/memory.ts';
import {byAge} from '../../memory/memory-node.ts';
import type {PackConfig} from '../../pack-config.ts';

interface MemoryExportInput extends NodeFilter {
  /** Default jsonl. */
  readonly format?: ExportFormat;
  /** `next_after` of the previous export. */
  readonly after?: string;
  /** Default 262144. */
  readonly max_bytes?: number;
}

export const memoryExport: ToolDefinition<MemoryExportInput, Exported & {readonly format: ExportFormat}, PackConfig> =
  defineTool({
    async run({format = 'jsonl', after, max_bytes: bytesMax = 256 * 1024, ...filter}, context) {
      const {nodes, edges} = await openMemory(openDeliveryLog(context)).view(
        filter.wu_id === undefined ? undefined : [filter.wu_id],
      );
      const selected = filterNodes(nodes, filter).toSorted(byAge);
      const rest = selected.slice(selected.findIndex(({id}) => id === after) + 1);
      return {format, ...exportNodes({nodes: rest, edges}, format, bytesMax)};
    },
  });
