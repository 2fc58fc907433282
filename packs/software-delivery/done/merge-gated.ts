// Moves the main branch to a commit that has passed the gates, whatever others merge meanwhile: what lands is what was
// judged. The branch is moved by compare-and-swap, and no checkout is touched.
import {isToolError, ToolError} from '@lumenflow/pack-sdk';
import type {GateReport} from '../gates/gate-report.ts';
import {findIdentity} from '../git/commit-identity.ts';
import {findCommit} from '../git/find-commit.ts';
import {mainBranch} from '../git/main-branch.ts';
import {mergeCommits, type Merged} from '../git/merge-commits.ts';
import {runGit} from '../git/run-git.ts';
import type {DoneContext} from './check-work.ts';
import type {DoneGated} from './done-event.ts';

export interface Landing {
  readonly id: string;
  readonly title: string;
  /** Last commit of the work. */
  readonly head: string;
  readonly main: string;
  readonly resolved: readonly string[];
}

export type Gated = Pick<DoneGated, 'head' | 'onto' | 'commit' | 'tree_hash' | 'config_hash' | 'receipt_id'>;

/** Throws ToolError MERGE_CONFLICT. Nothing is moved. */
export async function planMerge(context: DoneContext, landing: Landing): Promise<Merged & {readonly onto: string}> {
  const {id, title, head, main, resolved} = landing;
  const onto = await findCommit(context, `refs/heads/${main}`);
  const committer = await findIdentity(context);
  const message = `Merge ${id}: ${title}\n`;
  return {...(await mergeCommits(context, {onto, head, committer, resolved, message})), onto};
}

/** Throws ToolError GATES_FAILED and those of `planMerge` and of `gates`. */
export async function gateMerge(context: DoneContext, landing: Landing): Promise<Gated> {
  const {onto, commit} = await planMerge(context, landing);
  const {success, data, error, metadata} = await context.callTool('gates', {commit});
  const receipt_id = metadata?.receipt_id;
  if (!success || receipt_id === undefined) {
    throw new ToolError(error?.code ?? 'GATES_FAILED', error?.message ?? 'the gates gave no result', error?.details);
  }
  const {passed, gates, tree_hash, config_hash} = data as GateReport;
  if (passed) return {head: landing.head, onto, commit, tree_hash, config_hash, receipt_id};
  const failed = gates
    .filter((gate) => !gate.passed && !gate.optional)
    .map(({name, output_tail}) => ({name, output_tail}));
  const names = failed.map(({name}) => `\`${name}\``).join(', ') || 'no gate ran';
  throw new ToolError('GATES_FAILED', `the work does not pass on top of \`${landing.main}\`: ${names}`, {
    failed,
    tree_hash,
    receipt_id,
  });
}

/** False when the main branch is not where it was any more. */
export async function moveBranch(context: DoneContext, landing: Landing, {commit, onto}: Gated): Promise<boolean> {
  const ref = `refs/heads/${landing.main}`;
  const args = ['update-ref', '-m', `wu:done ${landing.id}`, ref, commit, onto];
  const {exit_code: code, stderr} = await runGit(context, args, {exit_codes: [0, 1, 128]});
  if (code === 0) return true;
  if ((await findCommit(context, ref)) !== onto) return false;
  const message = `\`${landing.main}\` cannot be moved: another git process holds it, or a scope`;
  throw new ToolError('BRANCH_LOCKED', message, {
    branch: landing.main,
    stderr: stderr.trim().slice(0, 4000),
    retryable: true,
  });
}

/** Paths; none when the work can be merged. */
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
