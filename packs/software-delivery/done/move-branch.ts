// Moves the main branch to the commit that passed the gates, by compare-and-swap. Touches no checkout.
import {ToolError} from '@lumenflow/pack-sdk';
import {requireHolder} from '../claims/lease.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {findCommit} from '../git/find-commit.ts';
import {mainBranch} from '../git/main-branch.ts';
import {runGit} from '../git/run-git.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import type {DoneContext} from './check-work.ts';
import {doneSlice} from './done-slice.ts';
import type {PreparedMerge} from './merge-gated.ts';

export interface MoveRequest {
  readonly id: string;
  readonly lease_token: number;
}

/** False if the main branch has moved. Throws ToolErrors of the lease, NOT_GATED and BRANCH_LOCKED. */
export async function moveBranch(
  context: DoneContext,
  log: DeliveryLog,
  {id, lease_token: token}: MoveRequest,
): Promise<boolean> {
  requireHolder(await log.read(workUnitSlice), id, {token, session_id: context.session_id});
  const progress = (await log.read(doneSlice))[id];
  if (progress?.stage !== 'gated' || progress.gated === undefined) {
    throw new ToolError('NOT_GATED', `no gates have passed on the merge result of \`${id}\`: run \`wu:done\``, {id});
  }
  return await compareAndSwap(context, id, progress.gated);
}

async function compareAndSwap(context: DoneContext, id: string, {onto, commit}: PreparedMerge): Promise<boolean> {
  const main = await mainBranch(context, context.config);
  const ref = `refs/heads/${main}`;
  const args = ['update-ref', '-m', `wu:done ${id}`, ref, commit, onto];
  const {exit_code: code, stderr} = await runGit(context, args, {exit_codes: [0, 1, 128]});
  if (code === 0) return true;
  if ((await findCommit(context, ref)) !== onto) return false;
  const message = `\`${main}\` cannot be moved: another git process has locked it, or a scope`;
  throw new ToolError('BRANCH_LOCKED', message, {branch: main, stderr: stderr.trim().slice(0, 4000), retryable: true});
}
