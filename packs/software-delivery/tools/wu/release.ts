// wu:release releases a work unit. Branch and worktree remain for the next holder.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {holderOf, isExpired, isHeldBy, requireHolder, requireLease, type HeldWorkUnit} from '../../claims/lease.ts';
import {findActiveHolders} from '../../claims/signs-of-life.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {actorStampOf} from '../../events/delivery-event.ts';
import type {PackConfig} from '../../pack-config.ts';
import {inSync, type Unsynced} from '../../sync/in-sync.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';
import {workUnitSlice, type WorkUnits} from '../../work-units/work-unit-slice.ts';

interface WuReleaseInput {
  readonly id: string;
  /** The holder's token. Any session can release a work unit whose lease has expired. */
  readonly lease_token?: number;
  readonly reason: string;
  readonly dry_run?: boolean;
}

interface WuReleaseOutput extends Unsynced {
  readonly id: string;
  readonly status: 'ready';
  /** Previous holder. */
  readonly session_id: string;
  readonly dry_run: boolean;
}

export const wuRelease: ToolDefinition<WuReleaseInput, WuReleaseOutput, PackConfig> = defineTool({
  async run({id, lease_token: shown, reason, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    return await inSync(context, dryRun, async () => {
      const state = await log.read(workUnitSlice);
      const prolong = await findActiveHolders(context, [findWorkUnit(state, id)]);
      const by = {shown, session_id: context.session_id};
      const {lease} = requireReleasable(prolong(state), id, by);
      const {session_id} = lease;
      if (!dryRun) {
        const tasks = kernelTasks(context);
        const holder = (await tasks.find(id))?.holder;
        if (holder !== undefined && isHeldBy(lease, holder)) await tasks.release(id, reason, holder);
        await log.decide(workUnitSlice, (newest) => {
          const {token} = requireReleasable(prolong(newest), id, by).lease;
          return {
            events: [{type: 'wu_released' as const, ...actorStampOf(context), id, token, reason}],
            result: undefined,
          };
        });
      }
      return {id, status: 'ready' as const, session_id, dry_run: dryRun};
    });
  },
});

interface Releaser {
  readonly shown: number | undefined;
  readonly session_id: string;
}

/** Any session can end an expired lease. Until it expires, only its holder can, with its token. */
function requireReleasable(state: WorkUnits, id: string, {shown, session_id: by}: Releaser): HeldWorkUnit {
  const held = requireLease(state, id, shown ?? findWorkUnit(state, id).lease?.token ?? 0);
  const {session_id, expires_at, token} = held.lease;
  if (isExpired(held.lease, Date.now())) return held;
  if (shown !== undefined) return requireHolder(state, id, {token, session_id: by});
  throw new ToolError(
    'LEASE_HELD',
    `\`${id}\` is claimed by ${holderOf(held.lease)} until ${expires_at}: only its holder can release it, with the lease token`,
    {id, session_id, expires_at},
  );
}
