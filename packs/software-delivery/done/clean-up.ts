// What is left of a work unit that is done: its worktree and its branch, whose commits are on the main branch.
import {isToolError} from '@lumenflow/pack-sdk';
import {stampOf} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {findCommitIfAny} from '../git/find-commit.ts';
import {runGit} from '../git/run-git.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import {removeWorktree} from '../worktrees/remove-worktree.ts';
import {worktreesFolder} from '../worktrees/worktree-place.ts';
import type {DoneContext} from './check-work.ts';
import {doneSlice} from './done-slice.ts';

export interface CleanedUp {
  readonly done: boolean;
  /** Why something is left. */
  readonly left?: string;
}

/** A call in the work unit's own task may not write all of its worktree; then `wu:cleanup` does it from outside. */
export async function cleanUp(context: DoneContext, log: DeliveryLog, unit: WorkUnit): Promise<CleanedUp> {
  const {spec, worktree, branch} = unit;
  if (!mayRemove(context)) return {done: false, left: `\`wu:cleanup\` removes \`${worktree ?? 'its worktree'}\``};
  try {
    if (worktree !== undefined) await removeWorktree(context, {path: worktree});
  } catch (error) {
    if (!isToolError(error)) throw error;
    if (error.code !== 'NOT_FOUND') return {done: false, left: error.message};
  }
  if (branch !== undefined) await removeBranch(context, log, {id: spec.id, branch});
  await log.decide(doneSlice, (state) => ({
    events: spec.id in state ? [{type: 'done_cleaned' as const, ...stampOf(context), id: spec.id}] : [],
    result: undefined,
  }));
  return {done: true};
}

function mayRemove({granted_scopes: {write}}: DoneContext): boolean {
  return write.some((pattern) => pattern === '**' || pattern === `${worktreesFolder}/**`);
}

/** Only as it was merged: commits that came later are somebody's work. */
async function removeBranch(
  context: DoneContext,
  log: DeliveryLog,
  {id, branch}: {readonly id: string; readonly branch: string},
): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const merged = (await log.read(doneSlice))[id]?.head;
  const head = await findCommitIfAny(context, ref);
  if (head !== undefined && head === merged) await runGit(context, ['update-ref', '-d', ref, head]);
}
