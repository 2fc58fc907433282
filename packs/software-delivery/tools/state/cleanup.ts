// state:cleanup removes unused snapshots. The log itself only grows.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {deliverySlices} from '../../open-delivery-log.ts';
import {snapshotName} from '../../events/snapshot.ts';

interface CleanupInput {
  readonly dry_run?: boolean;
}

interface CleanupOutput {
  readonly removed: readonly {readonly name: string; readonly bytes: number}[];
  readonly dry_run: boolean;
}

export const stateCleanup: ToolDefinition<CleanupInput, CleanupOutput> = defineTool({
  async run({dry_run: dryRun = false}, context) {
    const read = new Set(deliverySlices.map(({name}) => snapshotName(name)));
    const names = (await context.stateNames('snapshots/')).filter((name) => !read.has(name));
    const removed: {name: string; bytes: number}[] = [];
    for (const name of names) {
      const {size = 0} = (await context.state(name).read()) ?? {};
      if (!dryRun) await context.state(name).remove();
      removed.push({name, bytes: size});
    }
    return {removed, dry_run: dryRun};
  },
});
