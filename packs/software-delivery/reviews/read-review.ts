// The state of a review: the forge reports it, or, without a forge, the remote's main branch contains the work.
import {callOrThrow} from '../nested-calls/call-or-throw.ts';
import type {DoneContext} from '../done/check-work.ts';
import type {ForgeReview} from '../forge/forge.ts';
import {findCommitIfAny} from '../git/find-commit.ts';
import {mainBranch} from '../git/main-branch.ts';
import {containsWork} from '../git/merge-commits.ts';
import type {Review} from '../work-units/work-unit.ts';

export interface ReviewState {
  readonly state: 'open' | 'merged' | 'closed';
  /** If it was merged: the commit on the main branch that contains the work. It is in the repository. */
  readonly commit?: string;
}

/** Throws ToolErrors of the forge and of the remote. */
export async function readReview(context: DoneContext, review: Review): Promise<ReviewState> {
  const reported = await askForge(context, review);
  if (reported !== undefined && reported.state !== 'merged') return {state: reported.state};
  const tip = await fetchMain(context, review.remote);
  if (tip === null) return {state: 'open'};
  const {commit} = reported ?? {};
  if (commit !== undefined && (await findCommitIfAny(context, commit)) !== undefined) return {state: 'merged', commit};
  const isMerged = reported !== undefined || (await containsWork(context, tip, review.head));
  return isMerged ? {state: 'merged', commit: tip} : {state: 'open'};
}

async function askForge(context: DoneContext, {number}: Review): Promise<ForgeReview | undefined> {
  if (number === undefined || context.config?.forge === undefined) return undefined;
  return (await callOrThrow(context, 'wu:call-forge', {number})) as ForgeReview;
}

async function fetchMain(context: DoneContext, remote: string): Promise<string | null> {
  const main = await mainBranch(context, context.config);
  const input = {remote, ref: `refs/heads/${main}`, into: `refs/remotes/${remote}/${main}`};
  return ((await callOrThrow(context, 'wu:fetch-ref', input)) as {readonly commit: string | null}).commit;
}
