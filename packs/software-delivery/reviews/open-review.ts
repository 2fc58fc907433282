// wu:done with `done: pull_request`: gates, push, request. The work unit then waits for the review. Repeating it after more commits
// updates branch and request.
import {ToolError, isToolError} from '@lumenflow/pack-sdk';
import {callOrThrow} from '../nested-calls/call-or-throw.ts';
import {requireHolder} from '../claims/lease.ts';
import {checkWork, readWork, type DoneContext} from '../done/check-work.ts';
import {gateMerge} from '../done/merge-gated.ts';
import {actorStampOf} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import type {ForgeReview} from '../forge/forge.ts';
import {planGates} from '../gates/plan-gates.ts';
import {mainBranch} from '../git/main-branch.ts';
import {runGit} from '../git/run-git.ts';
import {readSoundSpec} from '../work-units/spec-files.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import {compareUrl} from './compare-url.ts';
import {requestText, type RequestText} from './request-text.ts';

export interface ReviewDemand {
  readonly id: string;
  readonly lease_token: number;
}

export interface OpenedReview extends RequestText {
  readonly remote: string;
  readonly branch: string;
  /** The pushed commit. */
  readonly head: string;
  readonly number?: number;
  readonly url?: string;
  /** If no request was opened: the page on which a person opens it. */
  readonly compare_url?: string;
  /** Why no request was opened. */
  readonly reason?: string;
}

function reviewRemote({config}: Pick<DoneContext, 'config'>): string {
  return config?.review_remote ?? 'origin';
}

/** Throws ToolErrors of the lease, of `checkWork`, of `gateMerge`, of the push, and REVIEW_BRANCH_TAKEN. */
export async function openReview(
  context: DoneContext,
  log: DeliveryLog,
  {id, lease_token: token}: ReviewDemand,
): Promise<OpenedReview> {
  const holder = {token, session_id: context.session_id};
  const unit = requireHolder(await log.read(workUnitSlice), id, holder);
  const work = await readWork(context, unit);
  await checkWork(context, work, unit);
  const main = await mainBranch(context, context.config);
  const gated = await gateMerge(context, {id, title: unit.spec.title, head: work.head, main, resolved: []});
  const {spec} = await readSoundSpec(context, id);
  const text = requestText({spec, gated, gates: planGates(context.config), config: context.config});
  // Gates take time. A session that lost the work unit in between must not publish anything.
  requireHolder(await log.read(workUnitSlice), id, holder);
  const remote = reviewRemote(context);
  const {head, branch} = work;
  await push(context, {remote, commit: head, ref: `refs/heads/${branch}`, expect: unit.review?.head ?? null});
  const request = await openRequest(context, {branch, target: main, ...text});
  const review = {remote, branch, head, ...request.opened};
  await log.decide(workUnitSlice, (state) => {
    requireHolder(state, id, holder);
    return {
      events: [{type: 'wu_review_opened' as const, ...actorStampOf(context), id, token, ...review}],
      result: undefined,
    };
  });
  if (request.opened.number !== undefined) return {...text, ...review};
  const url = (await runGit(context, ['remote', 'get-url', '--', remote])).stdout.trim();
  const compare_url = compareUrl(url, branch, main);
  return {...text, ...review, ...(compare_url !== undefined && {compare_url}), reason: request.reason};
}

interface Push {
  readonly remote: string;
  readonly commit: string;
  readonly ref: string;
  readonly expect: string | null;
}

async function push(context: DoneContext, input: Push): Promise<void> {
  const {pushed} = (await callOrThrow(context, 'wu:push-ref', input)) as {readonly pushed: boolean};
  if (pushed) return;
  const {remote, ref} = input;
  const message = `\`${ref}\` on \`${remote}\` has commits that were not pushed from here: fetch them, and merge them into the branch`;
  throw new ToolError('REVIEW_BRANCH_TAKEN', message, {remote, ref});
}

interface Requested {
  readonly opened: Partial<Pick<ForgeReview, 'number' | 'url'>>;
  readonly reason: string;
}

/** Without a forge or its token, the pushed branch is the result. Any other failure is thrown; the next call continues. */
async function openRequest(context: DoneContext, open: object): Promise<Requested> {
  if (context.config?.forge === undefined) return {opened: {}, reason: 'no forge is configured'};
  try {
    const {number, url} = (await callOrThrow(context, 'wu:call-forge', {open})) as ForgeReview;
    return {opened: {number, url}, reason: ''};
  } catch (error) {
    if (!isToolError(error) || error.details?.['missing_env'] === undefined) throw error;
    return {opened: {}, reason: `the variable \`${context.config.forge.token_env}\` is not set`};
  }
}
