// wu:sync brings work units in line with the remote: what other clones did, and reviews that were merged or closed there.
import {defineTool, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {callOrThrow} from '../../nested-calls/call-or-throw.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import type {SyncedLog} from '../../sync/sync-log.ts';
import {syncSlice} from '../../sync/sync-slice.ts';
import {syncReviews, type SyncedReview} from '../../reviews/sync-reviews.ts';

interface WuSyncInput {
  /** Only this work unit's review. */
  readonly id?: string;
  readonly dry_run?: boolean;
}

interface WuSyncOutput {
  /** Set if `sync` is configured. */
  readonly log?: SyncedLog;
  readonly reviews: readonly SyncedReview[];
  readonly dry_run: boolean;
}

export const wuSync: ToolDefinition<WuSyncInput, WuSyncOutput, PackConfig> = defineTool({
  async run({id, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    const isShared = !dryRun && context.config?.sync !== undefined;
    const before = isShared ? await sync(context) : undefined;
    const reviews = await syncReviews(context, log, {id, dryRun});
    // Finished reviews are news for the other clones.
    const after = isShared ? await sync(context) : undefined;
    const {conflicts} = await log.read(syncSlice);
    const synced = before && after && {log: {...sum(before, after), conflicts}};
    return {...synced, reviews, dry_run: dryRun};
  },
});

async function sync(context: ToolContext<PackConfig>): Promise<SyncedLog> {
  return (await callOrThrow(context, 'wu:sync-log', {})) as SyncedLog;
}

function sum(a: SyncedLog, b: SyncedLog): Omit<SyncedLog, 'conflicts'> {
  return {
    received: a.received + b.received,
    published: a.published + b.published,
    skipped: a.skipped + b.skipped,
  };
}
