// Creates the future commit of the main branch and runs the gates on it, so that the merged commit is the checked one. Repository
// writes are separate calls, so they are in place before the log says so.
import {isToolError, ToolError} from '@lumenflow/pack-sdk';
import {callUntilApplied} from '../nested-calls/call-or-throw.ts';
import {lastLines, type GateReport} from '../gates/gate-report.ts';
import {findIdentity} from '../git/commit-identity.ts';
import {findCommit} from '../git/find-commit.ts';
import {mainBranch} from '../git/main-branch.ts';
import {fastForward, mergeCommits} from '../git/merge-commits.ts';
import {withScratchObjects} from '../git/scratch-objects.ts';
import type {DoneContext} from './check-work.ts';
import type {DoneGated} from './done-event.ts';

export interface Landing {
  readonly id: string;
  readonly title: string;
  /** Latest commit of the work. */
  readonly head: string;
  readonly main: string;
  readonly resolved: readonly string[];
}

export type Gated = Pick<DoneGated, 'head' | 'onto' | 'commit' | 'tree_hash' | 'config_hash' | 'receipt_id'>;

/** The main branch's current and future commit. */
export interface PreparedMerge {
  readonly onto: string;
  readonly commit: string;
}

/** The commit is not kept in the repository. Throws ToolError MERGE_CONFLICT. */
export async function planMerge(context: DoneContext, landing: Landing): Promise<PreparedMerge> {
  return await withScratchObjects(context, (scratch) => prepareMerge(scratch, landing));
}

/** Writes the commit to git's objects. Throws ToolError MERGE_CONFLICT. */
export async function prepareMerge(context: DoneContext, landing: Landing): Promise<PreparedMerge> {
  const {id, title, head, main, resolved} = landing;
  const onto = await findCommit(context, `refs/heads/${main}`);
  const committer = await findIdentity(context);
  const message = `Merge ${id}: ${title}\n`;
  const {commit} = await mergeCommits(context, {onto, head, committer, resolved, message});
  return {onto, commit};
}

/** Throws ToolError GATES_FAILED and the errors of `planMerge` and `gates`. */
export async function gateMerge(context: DoneContext, landing: Landing): Promise<Gated> {
  return await gateCommit(context, landing, await prepareIfNeeded(context, landing));
}

/** Runs the gates on a commit of the main branch, existing or future. Throws ToolError GATES_FAILED and the errors of `gates`. */
export async function gateCommit(
  context: DoneContext,
  landing: Pick<Landing, 'head' | 'main'>,
  {onto, commit}: PreparedMerge,
): Promise<Gated> {
  const {success, data, error, metadata} = await context.callTool('gates', {commit});
  const receipt_id = metadata?.receipt_id;
  if (!success || receipt_id === undefined) {
    throw new ToolError(
      error?.code ?? 'GATES_FAILED',
      error?.message ?? 'the gates returned no result',
      error?.details,
    );
  }
  const {passed, gates, tree_hash, config_hash} = data as GateReport;
  if (passed) return {head: landing.head, onto, commit, tree_hash, config_hash, receipt_id};
  const failed = gates
    .filter((gate) => !gate.passed && !gate.optional)
    .map(({name, output_tail}) => ({name, output_tail}));
  const names = failed.map(({name}) => `\`${name}\``).join(', ') || 'no gate ran';
  const outputs = failed.slice(0, 3).map(({name, output_tail: tail}) => `${name}:\n${lastLines(tail)}`);
  const message = [`the work fails the gates on top of \`${landing.main}\`: ${names}`, ...outputs].join('\n');
  throw new ToolError('GATES_FAILED', message, {
    failed,
    tree_hash,
    receipt_id,
  });
}

async function prepareIfNeeded(context: DoneContext, {main, ...work}: Landing): Promise<PreparedMerge> {
  const onto = await findCommit(context, `refs/heads/${main}`);
  const ready = await fastForward(context, {onto, head: work.head});
  if (ready !== undefined) return {onto, commit: ready.commit};
  return (await callUntilApplied(context, 'wu:prepare-merge', work)) as PreparedMerge;
}

/** The conflicting paths; empty if the work can be merged. */
export async function conflictsWithMain(
  context: DoneContext,
  work: Pick<Landing, 'id' | 'title' | 'head'>,
): Promise<readonly string[]> {
  const main = await mainBranch(context, context.config);
  try {
    await planMerge(context, {...work, main, resolved: []});
    return [];
  } catch (error) {
    if (isToolError(error) && error.code === 'MERGE_CONFLICT') return error.details?.['paths'] as readonly string[];
    throw error;
  }
}
