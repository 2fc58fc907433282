// Publishes a claim before the work starts. Of two clones, the one that publishes first has the work unit.
import {ToolError} from '@lumenflow/pack-sdk';
import {isHeldBy} from '../claims/lease.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {findWorkUnit} from '../work-units/find-work-unit.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import {syncUnlessOffline, type SyncContext} from './in-sync.ts';

export interface PublishedClaim {
  readonly id: string;
  readonly session_id: string;
}

/** Throws ToolError LEASE_HELD if another clone was faster, and those of `wu:sync-log`. */
export async function publishClaim(
  context: SyncContext,
  log: DeliveryLog,
  {id, session_id}: PublishedClaim,
): Promise<void> {
  if (!(await syncUnlessOffline(context, {claiming: id, publish_only: true}))) return;
  const {lease} = findWorkUnit(await log.read(workUnitSlice), id);
  if (isHeldBy(lease, session_id)) return;
  const by = lease === undefined ? '' : `, in session \`${lease.session_id}\``;
  const message = `another clone has claimed \`${id}\`${by}: claim another one, or wait`;
  throw new ToolError('LEASE_HELD', message, {id, session_id: lease?.session_id ?? null});
}
