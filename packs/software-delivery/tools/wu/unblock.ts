// wu:unblock resumes a blocked work unit.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {expiryOf, leaseTtlMs, requireHolder} from '../../claims/lease.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {actorStampOf} from '../../events/delivery-event.ts';
import type {PackConfig} from '../../pack-config.ts';
import {inSync, type Unsynced} from '../../sync/in-sync.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface WuUnblockInput {
  readonly id: string;
  readonly lease_token: number;
  readonly dry_run?: boolean;
}

interface WuUnblockOutput extends Unsynced {
  readonly id: string;
  readonly status: 'in_progress';
  readonly expires_at: string;
  readonly dry_run: boolean;
}

export const wuUnblock: ToolDefinition<WuUnblockInput, WuUnblockOutput, PackConfig> = defineTool({
  async run({id, lease_token: token, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    return await inSync(context, dryRun, async () => {
      const {lease} = requireHolder(await log.read(workUnitSlice), id, {token, session_id: context.session_id});
      const stamp = actorStampOf(context);
      const expires_at = expiryOf(stamp, leaseTtlMs(context.config));
      if (!dryRun) {
        const tasks = kernelTasks(context);
        if ((await tasks.find(id))?.state === 'blocked') await tasks.unblock(id, lease.session_id);
        await log.decide(workUnitSlice, (state) => {
          requireHolder(state, id, {token, session_id: context.session_id});
          return {events: [{type: 'wu_unblocked' as const, ...stamp, id, token, expires_at}], result: undefined};
        });
      }
      return {id, status: 'in_progress' as const, expires_at, dry_run: dryRun};
    });
  },
});
