// What is left of a work unit that is done: its worktree and its branch, whose commits are on the main branch.
import {isToolError} from '@lumenflow/pack-sdk';
import {stampOf} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {findCommitIfAny} from '../git/find-commit.ts';
import {runGit} from '../git/run-git.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import {removeWorktree} from '../worktrees/remove-worktree.ts';
import type {DoneContext} from './check-work.ts';
import {doneSlice} from './done-slice.ts';

/** Throws ToolErrors WORKTREE_DIRTY and WORKTREE_LEFT. */
export async function cleanUp(context: DoneContext, log: DeliveryLog, unit: WorkUnit): Promise<void> {
  const {spec, worktree, branch} = unit;
  try {
    if (worktree !== undefined) await removeWorktree(context, {path: worktree});
  } catch (error) {
    if (!isToolError(error) || error.code !== 'NOT_FOUND') throw error;
  }
  if (branch !== undefined) await removeBranch(context, log, {id: spec.id, branch});
  await log.decide(doneSlice, (state) => ({
    events: spec.id in state ? [{type: 'done_cleaned' as const, ...stampOf(context), id: spec.id}] : [],
    result: undefined,
  }));
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
