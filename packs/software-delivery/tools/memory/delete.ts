// mem:delete deletes nodes from memory. The append-only log keeps the lines that created them.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {forgetNodes} from '../../memory/forget-nodes.ts';
import type {PackConfig} from '../../pack-config.ts';

interface MemoryDeleteInput {
  readonly ids: readonly string[];
  readonly reason: string;
  readonly dry_run?: boolean;
}

interface MemoryDeleteOutput {
  readonly deleted: readonly string[];
  readonly dry_run: boolean;
}

export const memoryDelete: ToolDefinition<MemoryDeleteInput, MemoryDeleteOutput, PackConfig> = defineTool({
  async run({ids, reason, dry_run: dryRun = false}, context) {
    await forgetNodes(context, openDeliveryLog(context), {ids, reason, dryRun});
    return {deleted: ids, dry_run: dryRun};
  },
});
