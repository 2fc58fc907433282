// mem:cleanup deletes expired nodes, by lifecycle.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {forgetNodes} from '../../memory/forget-nodes.ts';
import {openMemory} from '../../memory/memory.ts';
import {lifecycles, type Lifecycle} from '../../memory/memory-node.ts';
import {pastTime, retentionOf, type Retention} from '../../memory/retention.ts';
import type {PackConfig} from '../../pack-config.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface MemoryCleanupInput {
  readonly dry_run?: boolean;
}

interface MemoryCleanupOutput {
  readonly forgotten: number;
  readonly by_lifecycle: Readonly<Record<Lifecycle, number>>;
  /** Expired discoveries that were never triaged, which are kept; at most 100. */
  readonly kept_open: readonly string[];
  readonly remaining: number;
  readonly retention: Retention;
  readonly dry_run: boolean;
}

export const memoryCleanup: ToolDefinition<MemoryCleanupInput, MemoryCleanupOutput, PackConfig> = defineTool({
  async run({dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    const retention = retentionOf(context.config);
    const {nodes} = await openMemory(log).view();
    const {units} = await log.read(workUnitSlice);
    const {forget, kept_open: keptOpen} = pastTime([...nodes.values()], {
      now: Date.now(),
      retention,
      doneAt: (wuId) => (units[wuId]?.status === 'done' ? units[wuId].since : undefined),
    });
    await forgetNodes(context, log, {ids: forget.map(({id}) => id), reason: 'past its retention', dryRun});
    const count = (lifecycle: Lifecycle): number => forget.filter((node) => node.lifecycle === lifecycle).length;
    return {
      forgotten: forget.length,
      by_lifecycle: Object.fromEntries(lifecycles.map((lifecycle) => [lifecycle, count(lifecycle)])) as Record<
        Lifecycle,
        number
      >,
      kept_open: keptOpen.slice(0, 100).map(({id}) => id),
      remaining: nodes.size - forget.length,
      retention,
      dry_run: dryRun,
    };
  },
});
