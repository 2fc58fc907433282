// mem:init reports what memory contains and its retention rules, and rebuilds its snapshots for fast reads.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {openMemory} from '../../memory/memory.ts';
import {memorySlices} from '../../memory/memory-shard.ts';
import {retentionOf, type Retention} from '../../memory/retention.ts';
import {refreshSnapshots} from '../../events/refresh-snapshots.ts';
import type {PackConfig} from '../../pack-config.ts';
import {signalSlice} from '../../signals/signal-slice.ts';

interface MemoryInitInput {
  readonly dry_run?: boolean;
}

interface MemoryInitOutput {
  readonly nodes: number;
  readonly open: number;
  readonly signals: number;
  readonly retention: Retention;
  readonly dry_run: boolean;
}

export const memoryInit: ToolDefinition<MemoryInitInput, MemoryInitOutput, PackConfig> = defineTool({
  async run({dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    const {nodes} = await openMemory(log).view();
    const {signals} = await log.read(signalSlice);
    if (!dryRun) await refreshSnapshots(context, [...memorySlices, signalSlice]);
    return {
      nodes: nodes.size,
      open: [...nodes.values()].filter(({closed}) => closed === undefined).length,
      signals: signals.length,
      retention: retentionOf(context.config),
      dry_run: dryRun,
    };
  },
});
