// The tree that a task is completed with, and the gate config that it must pass.
import {isToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {planGates} from '../gates/plan-gates.ts';
import {configHash} from '../gates/config-hash.ts';
import {hashWorkingTree} from '../git/stage-files.ts';
import type {PackConfig} from '../pack-config.ts';
import {inWorkTree} from '../worktrees/in-work-tree.ts';
import {doneSlice} from './done-slice.ts';
import {isOnMain} from './is-on-main.ts';

export interface VerifiedTree {
  /** merged: the commit on the main branch; worktree: files that are not merged; workspace: a task without a worktree. */
  readonly subject: 'merged' | 'worktree' | 'workspace';
  /** Null without a repository and configured gates. */
  readonly tree_hash: string | null;
  readonly config_hash: string;
  /** The merged commit. */
  readonly commit?: string;
}

type VerifyContext = ToolContext<PackConfig>;

export async function verifyTree(context: VerifyContext, log: DeliveryLog, id: string): Promise<VerifiedTree> {
  const planned = planGates(context.config);
  const config_hash = await configHash(planned);
  const merged = await findMerged(context, log, id);
  if (merged !== undefined) return {subject: 'merged', ...merged, config_hash};
  const inside = await inWorkTree({...context, task_id: id});
  const subject = inside.workspace_root === context.workspace_root ? 'workspace' : 'worktree';
  try {
    return {subject, tree_hash: await hashWorkingTree(inside), config_hash};
  } catch (error) {
    const isNoRepository = isToolError(error) && error.code === 'NOT_A_REPOSITORY';
    if (!isNoRepository || planned.length > 0) throw error;
    return {subject, tree_hash: null, config_hash};
  }
}

/** A recorded merge counts only while the main branch contains it. */
async function findMerged(
  context: VerifyContext,
  log: DeliveryLog,
  id: string,
): Promise<{readonly commit: string; readonly tree_hash: string} | undefined> {
  const {stage, gated} = (await log.read(doneSlice))[id] ?? {};
  if (gated === undefined || (stage !== 'merged' && stage !== 'recorded')) return undefined;
  const {commit, tree_hash} = gated;
  return (await isOnMain(context, commit)) ? {commit, tree_hash} : undefined;
}
