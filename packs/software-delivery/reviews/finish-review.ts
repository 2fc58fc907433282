// Completes a work unit whose review was merged on the remote: brings the main branch up to that commit, runs the gates on it, and
// continues as after any other merge.
import {ToolError} from '@lumenflow/pack-sdk';
import {callUntilApplied} from '../nested-calls/call-or-throw.ts';
import {requireHolder} from '../claims/lease.ts';
import type {DoneContext} from '../done/check-work.ts';
import type {DoneEvent} from '../done/done-event.ts';
import {finishWorkUnit, type Finished} from '../done/finish-work-unit.ts';
import {isOnMain} from '../done/is-on-main.ts';
import {gateCommit} from '../done/merge-gated.ts';
import {actorStampOf} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import type {Slice} from '../events/slice.ts';
import {findCommit} from '../git/find-commit.ts';
import {mainBranch} from '../git/main-branch.ts';
import {isAncestor} from '../git/merge-commits.ts';
import {workUnitSlice, type WorkUnits} from '../work-units/work-unit-slice.ts';
import type {WuEvent} from '../work-units/wu-event.ts';

export interface MergedReview {
  readonly id: string;
  readonly lease_token: number;
  /** The commit on the remote's main branch. */
  readonly commit: string;
}

const units: Slice<WorkUnits, WuEvent | DoneEvent> = workUnitSlice as Slice<WorkUnits, WuEvent | DoneEvent>;

/** Throws ToolErrors of the lease, MAIN_DIVERGED, GATES_FAILED and those of `finishWorkUnit`. */
export async function finishReview(
  context: DoneContext,
  log: DeliveryLog,
  {id, lease_token: token, commit}: MergedReview,
): Promise<Finished> {
  const holder = {token, session_id: context.session_id};
  const {review, branch} = requireHolder(await log.read(workUnitSlice), id, holder);
  const main = await mainBranch(context, context.config);
  const onto = await forwardMain(context, main, commit);
  const head = review?.head ?? (await findCommit(context, `refs/heads/${branch ?? ''}`));
  const gated = await gateCommit(context, {head, main}, {onto, commit});
  await log.decide(units, (state) => {
    requireHolder(state, id, holder);
    return {events: [{type: 'done_gated' as const, ...actorStampOf(context), id, ...gated}], result: undefined};
  });
  return await finishWorkUnit(context, log, {id, lease_token: token, resolved: []});
}

/** Returns the main branch's former commit. */
async function forwardMain(context: DoneContext, main: string, commit: string): Promise<string> {
  const onto = await findCommit(context, `refs/heads/${main}`);
  if (await isOnMain(context, commit)) return onto;
  if (!(await isAncestor(context, onto, commit))) {
    const message = `\`${main}\` has commits that the remote lacks, so it cannot follow the merge: combine both, then try again`;
    throw new ToolError('MAIN_DIVERGED', message, {branch: main, onto, commit});
  }
  await callUntilApplied(context, 'wu:forward-main', {onto, commit});
  return onto;
}
