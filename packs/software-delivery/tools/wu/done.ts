// wu:done merges a work unit's branch through the gates and completes its task, or with `done: pull_request` opens a review first.
// After a crash, calling it again resumes.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {requireHolder} from '../../claims/lease.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {checkWork, readWork} from '../../done/check-work.ts';
import {describeCheckouts, type Checkout} from '../../done/describe-checkouts.ts';
import {finishWorkUnit} from '../../done/finish-work-unit.ts';
import {planMerge} from '../../done/merge-gated.ts';
import {mainBranch} from '../../git/main-branch.ts';
import type {PackConfig} from '../../pack-config.ts';
import {doneByReview} from '../../reviews/done-by-review.ts';
import type {OpenedReview} from '../../reviews/open-review.ts';
import {inSync, type Unsynced} from '../../sync/in-sync.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface WuDoneInput {
  readonly id: string;
  readonly lease_token: number;
  /** Conflicting paths for which the work unit's version wins. */
  readonly resolved?: readonly string[];
  /** Check the work and the merge without merging. */
  readonly dry_run?: boolean;
}

interface WuDoneOutput extends Unsynced {
  readonly id: string;
  readonly main_branch: string;
  /** The main branch's new commit; with `dry_run`, the future one. While a review is open, the pushed commit. */
  readonly commit: string;
  /** Set if the work unit now waits for a review. */
  readonly review?: OpenedReview;
  /** What was merged, and by which gates. */
  readonly stamp?: {
    readonly completed_at: string;
    readonly tree_hash: string;
    readonly config_hash: string;
    readonly gates_receipt_id: string;
  };
  /** Checkouts of the main branch. */
  readonly checkouts?: readonly Checkout[];
  readonly cleaned: boolean;
  /** Why something was not removed, and how to remove it. */
  readonly left?: string;
  /** Steps for a person if a checkout of the main branch was not updated. */
  readonly behind?: string;
  readonly dry_run: boolean;
}

export const wuDone: ToolDefinition<WuDoneInput, WuDoneOutput, PackConfig> = defineTool({
  async run({id, lease_token, resolved = [], dry_run = false}, context) {
    const log = openDeliveryLog(context);
    const main = await mainBranch(context, context.config);
    if (dry_run) {
      const unit = requireHolder(await log.read(workUnitSlice), id, {
        token: lease_token,
        session_id: context.session_id,
      });
      const work = await readWork(context, unit);
      await checkWork(context, work, unit);
      const {commit} = await planMerge(context, {id, title: unit.spec.title, head: work.head, main, resolved});
      return {id, main_branch: main, commit, cleaned: false, dry_run};
    }
    const request = {id, lease_token, resolved};
    const isReviewed = context.config?.done === 'pull_request';
    const {unsynced, ...result} = await inSync(context, dry_run, async () =>
      isReviewed ? await doneByReview(context, log, request) : await finishWorkUnit(context, log, request),
    );
    if ('review' in result) {
      const {review} = result;
      return {id, main_branch: main, commit: review.head, review, cleaned: false, ...(unsynced && {unsynced}), dry_run};
    }
    const {unit, onto: _, commit, left, checkout, ...stamp} = result;
    const {checkouts, behind} = await describeCheckouts(context, checkout);
    return {
      id,
      main_branch: main,
      commit,
      stamp: {completed_at: unit.since, ...stamp},
      checkouts,
      cleaned: left === undefined,
      ...(left !== undefined && {left}),
      ...(behind !== undefined && {behind}),
      ...(unsynced && {unsynced}),
      dry_run,
    };
  },
});
