// Rolls back a `wu:done` that has merged nothing. No branch was moved, so only the log changes.
import {ToolError} from '@lumenflow/pack-sdk';
import {requireHolder} from '../claims/lease.ts';
import {actorStampOf} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {mainBranch} from '../git/main-branch.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import type {DoneContext} from './check-work.ts';
import {doneSlice} from './done-slice.ts';
import {isOnMain} from './is-on-main.ts';

/** Throws ToolErrors of the lease, and ALREADY_MERGED. */
export async function rollBack(
  context: DoneContext,
  log: DeliveryLog,
  {id, lease_token}: {readonly id: string; readonly lease_token: number},
): Promise<void> {
  const gated = (await log.read(doneSlice))[id]?.gated;
  if (gated !== undefined && (await isOnMain(context, gated.commit))) {
    const main = await mainBranch(context, context.config);
    throw new ToolError('ALREADY_MERGED', `the work of \`${id}\` is on \`${main}\`: resume instead`, {id});
  }
  const holder = {token: lease_token, session_id: context.session_id};
  requireHolder(await log.read(workUnitSlice), id, holder);
  await log.decide(doneSlice, () => ({
    events: [{type: 'done_rolled_back' as const, ...actorStampOf(context), id, reason: 'rolled back'}],
    result: undefined,
  }));
}
