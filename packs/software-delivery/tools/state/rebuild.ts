// state:rebuild replays the log and rewrites every snapshot.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {deliverySlices} from '../../open-delivery-log.ts';
import {snapshotName, writeSnapshot} from '../../events/snapshot.ts';
import {foldSlice} from '../../log-maintenance/fold-slice.ts';
import {readWholeLog} from '../../log-maintenance/read-whole-log.ts';

interface RebuildInput {
  readonly dry_run?: boolean;
}

interface RebuildOutput {
  readonly events: number;
  readonly snapshots: readonly {readonly name: string; readonly bytes: number}[];
  readonly dry_run: boolean;
}

export const stateRebuild: ToolDefinition<RebuildInput, RebuildOutput> = defineTool({
  async run({dry_run: dryRun = false}, context) {
    const {events, damaged, size} = await readWholeLog(context);
    if (damaged.length > 0) {
      const message = `lines ${damaged.join(', ')} of the log are not events: run \`doctor\` for the fix`;
      throw new ToolError('LOG_DAMAGED', message, {lines: damaged});
    }
    const snapshots: {name: string; bytes: number}[] = [];
    for (const slice of deliverySlices) {
      context.signal.throwIfAborted();
      const name = snapshotName(slice.name);
      const state = foldSlice(slice, events);
      if (!dryRun) await writeSnapshot(context.state(name), slice, {offset: size, state});
      snapshots.push({name, bytes: Buffer.byteLength(JSON.stringify(state))});
    }
    return {events: events.length, snapshots, dry_run: dryRun};
  },
});
