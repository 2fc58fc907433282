// Looks at every work unit that waits for a review: completes it if it was merged, and reopens it if it was closed.
import {isToolError} from '@lumenflow/pack-sdk';
import {claimWorkUnit, type ClaimContext} from '../claims/claim-work-unit.ts';
import {holderOf, isExpired, isHeldBy} from '../claims/lease.ts';
import type {DoneContext} from '../done/check-work.ts';
import {describeCheckouts} from '../done/describe-checkouts.ts';
import {actorStampOf} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {readHeldUnits} from '../claims/signs-of-life.ts';
import type {Review, WorkUnit} from '../work-units/work-unit.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import {finishReview} from './finish-review.ts';
import {readReview} from './read-review.ts';

export interface SyncedReview {
  readonly id: string;
  readonly url?: string;
  readonly state: 'open' | 'merged' | 'closed' | 'unknown';
  /** `reopened`: its holder continues. */
  readonly outcome: 'waits' | 'done' | 'reopened';
  /** Why it still waits, and what to do. */
  readonly reason?: string;
  /** Steps for a person if a checkout of the main branch was not updated. */
  readonly behind?: string;
}

type SyncContext = DoneContext & ClaimContext;

export async function syncReviews(
  context: SyncContext,
  log: DeliveryLog,
  {id, dryRun}: {readonly id: string | undefined; readonly dryRun: boolean},
): Promise<readonly SyncedReview[]> {
  const {units} = await readHeldUnits(context, log);
  const waiting = Object.values(units).filter(
    (unit): unit is Reviewed =>
      unit.review !== undefined && unit.status !== 'done' && (id ?? unit.spec.id) === unit.spec.id,
  );
  const synced: SyncedReview[] = [];
  for (const unit of waiting) synced.push(await syncReview(context, log, {unit, dryRun}));
  return synced;
}

interface Reviewed extends WorkUnit {
  readonly review: Review;
}

interface Syncing {
  readonly unit: Reviewed;
  readonly dryRun: boolean;
}

/** One failure does not keep the others from being looked at. */
async function syncReview(context: SyncContext, log: DeliveryLog, {unit, dryRun}: Syncing): Promise<SyncedReview> {
  const {review, spec} = unit;
  const known = {id: spec.id, ...(review.url !== undefined && {url: review.url})};
  let state: SyncedReview['state'] = 'unknown';
  try {
    const found = await readReview(context, review);
    ({state} = found);
    if (state === 'open' || dryRun) return {...known, state, outcome: 'waits'};
    if (found.commit === undefined) return {...known, ...(await reopen(context, log, spec.id))};
    return {...known, ...(await finish(context, log, {unit, commit: found.commit}))};
  } catch (error) {
    if (!isToolError(error)) throw error;
    return {...known, state, outcome: 'waits', reason: `${error.code}: ${error.message}`};
  }
}

type Outcome = Pick<SyncedReview, 'state' | 'outcome' | 'reason' | 'behind'>;

async function reopen(context: SyncContext, log: DeliveryLog, id: string): Promise<Outcome> {
  await log.decide(workUnitSlice, ({units}) => {
    const isOpen = units[id]?.review !== undefined;
    return {
      events: isOpen ? [{type: 'wu_review_closed' as const, ...actorStampOf(context), id}] : [],
      result: undefined,
    };
  });
  return {state: 'closed', outcome: 'reopened'};
}

/** Only the session of the work unit can complete it. If there is none any more, this session takes over. */
async function finish(
  context: SyncContext,
  log: DeliveryLog,
  {unit: {spec, lease}, commit}: {readonly unit: WorkUnit; readonly commit: string},
): Promise<Outcome> {
  const {id} = spec;
  const isOurs = isHeldBy(lease, context.session_id);
  if (lease !== undefined && !isOurs && !isExpired(lease, Date.now())) {
    const reason = `${holderOf(lease)} must run \`wu:done\`; after ${lease.expires_at}, any session can run \`wu:sync\``;
    return {state: 'merged', outcome: 'waits', reason};
  }
  const {token} = lease !== undefined && isOurs ? lease : (await claimWorkUnit(context, log, id)).claim.lease;
  try {
    const {checkout} = await finishReview(context, log, {id, lease_token: token, commit});
    const {behind} = await describeCheckouts(context, checkout);
    return {state: 'merged', outcome: 'done', ...(behind !== undefined && {behind})};
  } catch (error) {
    if (!isToolError(error) || error.code !== 'POLICY_DENIED') throw error;
    // The main branch has moved, so the gates of the merged tree must run in the work unit's own task.
    const reason = `run \`wu:done\` with id ${id} and lease token ${token} in this session, which runs the gates on the merged commit`;
    return {state: 'merged', outcome: 'waits', reason};
  }
}
