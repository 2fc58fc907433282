// wu:block marks a work unit as blocked. The kernel rejects calls in it until it is unblocked.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {requireHolder} from '../../claims/lease.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {actorStampOf} from '../../events/delivery-event.ts';
import type {PackConfig} from '../../pack-config.ts';
import {inSync, type Unsynced} from '../../sync/in-sync.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface WuBlockInput {
  readonly id: string;
  readonly lease_token: number;
  readonly reason: string;
  readonly dry_run?: boolean;
}

interface WuBlockOutput extends Unsynced {
  readonly id: string;
  readonly status: 'blocked';
  readonly dry_run: boolean;
}

export const wuBlock: ToolDefinition<WuBlockInput, WuBlockOutput, PackConfig> = defineTool({
  async run({id, lease_token: token, reason, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    return await inSync(context, dryRun, async () => {
      const {lease} = requireHolder(await log.read(workUnitSlice), id, {token, session_id: context.session_id});
      if (!dryRun) {
        const tasks = kernelTasks(context);
        if ((await tasks.find(id))?.state === 'active') await tasks.block(id, reason, lease.session_id);
        await log.decide(workUnitSlice, (state) => {
          const {status} = requireHolder(state, id, {token, session_id: context.session_id});
          const event = {type: 'wu_blocked' as const, ...actorStampOf(context), id, token, reason};
          return {events: status === 'blocked' ? [] : [event], result: undefined};
        });
      }
      return {id, status: 'blocked' as const, dry_run: dryRun};
    });
  },
});
