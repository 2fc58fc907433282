// wu:sync-log: synchronizes the log with the shared one. Called by the tools that change work units, also after they ended the
// session's task.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {syncLog, type SyncedLog} from '../../sync/sync-log.ts';

interface WuSyncLogInput {
  /** The work unit that the calling session claims now. */
  readonly claiming?: string;
  readonly publish_only?: boolean;
}

const nothing: SyncedLog = {received: 0, published: 0, conflicts: [], skipped: 0};

export const wuSyncLog: ToolDefinition<WuSyncLogInput, SyncedLog, PackConfig> = defineTool({
  async run(input, context) {
    const remote = context.config?.sync?.remote;
    return remote === undefined ? nothing : await syncLog(context, openDeliveryLog(context), {remote, ...input});
  },
});
