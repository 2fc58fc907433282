// wu:done with `done: pull_request`: the first call opens the review, later ones update it, and the last one completes the work unit.
import {ToolError} from '@lumenflow/pack-sdk';
import {requireHolder} from '../claims/lease.ts';
import type {DoneContext} from '../done/check-work.ts';
import {finishWorkUnit, type DoneRequest, type Finished} from '../done/finish-work-unit.ts';
import {actorStampOf} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {findWorkUnit} from '../work-units/find-work-unit.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import {finishReview} from './finish-review.ts';
import {openReview, type OpenedReview} from './open-review.ts';
import {readReview} from './read-review.ts';

/** Throws ToolErrors of `openReview` and `finishReview`, and REVIEW_CLOSED. */
export async function doneByReview(
  context: DoneContext,
  log: DeliveryLog,
  request: DoneRequest,
): Promise<Finished | {readonly review: OpenedReview}> {
  const {id, lease_token: token} = request;
  const state = await log.read(workUnitSlice);
  // Merged before, and interrupted during the cleanup.
  if (findWorkUnit(state, id).status === 'done') return await finishWorkUnit(context, log, request);
  const {review} = requireHolder(state, id, {token, session_id: context.session_id});
  if (review === undefined) return {review: await openReview(context, log, request)};
  const found = await readReview(context, review);
  if (found.commit !== undefined)
    return await finishReview(context, log, {id, lease_token: token, commit: found.commit});
  if (found.state === 'open') return {review: await openReview(context, log, request)};
  await log.decide(workUnitSlice, () => ({
    events: [{type: 'wu_review_closed' as const, ...actorStampOf(context), id}],
    result: undefined,
  }));
  const message = `the review of \`${id}\` was closed without a merge: change the work and run \`wu:done\` again, or release it`;
  throw new ToolError('REVIEW_CLOSED', message, {id, ...(review.url !== undefined && {url: review.url})});
}
