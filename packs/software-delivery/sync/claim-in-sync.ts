// A claim that other clones see: reads the shared log before the claim, and publishes the claim before the work starts. Of two
// clones, the one that publishes first has the work unit.
import {isToolError, ToolError} from '@lumenflow/pack-sdk';
import type {DoneContext} from '../done/check-work.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {findWorkUnit} from '../work-units/find-work-unit.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import {holds} from './plan-import.ts';
import {syncLog} from './sync-log.ts';

/** True if the shared log was read; false if there is none, or it is unreachable and `offline` allows that. */
export async function readBeforeClaim(context: DoneContext, log: DeliveryLog): Promise<boolean> {
  return await syncIfConfigured(context, log);
}

/** Throws ToolError LEASE_HELD if another clone was faster. */
export async function publishClaim(context: DoneContext, log: DeliveryLog, id: string): Promise<void> {
  if (!(await syncIfConfigured(context, log, id))) return;
  const state = await log.read(workUnitSlice);
  if (holds(state, id, context.session_id)) return;
  const {lease} = findWorkUnit(state, id);
  const message = `another clone has claimed \`${id}\`, in session \`${lease?.session_id ?? 'unknown'}\`: claim another one, or wait`;
  throw new ToolError('LEASE_HELD', message, {id, session_id: lease?.session_id ?? null});
}

async function syncIfConfigured(context: DoneContext, log: DeliveryLog, claiming?: string): Promise<boolean> {
  const {remote, offline = 'deny'} = context.config?.sync ?? {};
  if (remote === undefined) return false;
  try {
    await syncLog(context, log, {remote, ...(claiming !== undefined && {claiming})});
    return true;
  } catch (error) {
    if (isToolError(error) && error.code === 'REMOTE_UNREACHABLE' && offline === 'allow') return false;
    throw error;
  }
}
