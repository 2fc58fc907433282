// Undoes a merge: a revert commit that passes the gates, then a new work unit with the same spec, because a completed task stays
// completed. If interrupted, calling it again continues: what is reverted is not reverted twice.
import {ToolError} from '@lumenflow/pack-sdk';
import {callOrThrow, callUntilApplied} from '../nested-calls/call-or-throw.ts';
import type {DoneContext} from '../done/check-work.ts';
import {gateCommit, type PreparedMerge} from '../done/merge-gated.ts';
import type {CheckoutUpdate} from '../done/update-checkout.ts';
import {actorStampOf} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {mainBranch} from '../git/main-branch.ts';
import {readSoundSpec} from '../work-units/spec-files.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import {listWorktrees} from '../worktrees/list-worktrees.ts';
import {checkUndo} from './check-undo.ts';

export interface Undone extends PreparedMerge {
  /** The work unit that continues. */
  readonly successor: string;
  /** The person's own checkout, if it has the main branch checked out. */
  readonly checkout?: CheckoutUpdate;
}

/** Throws ToolErrors of `checkUndo`, REVERT_CONFLICT, GATES_FAILED, MAIN_MOVED and those of `wu:create`. */
export async function undoWorkUnit(
  context: DoneContext,
  log: DeliveryLog,
  {id, reason}: {readonly id: string; readonly reason: string},
): Promise<Undone> {
  const {unit, range} = await checkUndo(context, log, id);
  const {spec} = await readSoundSpec(context, id);
  const main = await mainBranch(context, context.config);
  const input = {id, title: unit.spec.title, reason, from: range.onto, to: range.commit};
  const prepared = (await callUntilApplied(context, 'wu:prepare-revert', input)) as PreparedMerge;
  let checkout: CheckoutUpdate | undefined;
  if (prepared.commit !== prepared.onto) {
    await gateCommit(context, {head: prepared.commit, main}, prepared);
    await moveMain(context, prepared);
    checkout = await updateOwnCheckout(context, main, prepared);
  }
  const {id: _, ...fields} = spec;
  const {id: successor} = (await callOrThrow(context, 'wu:create', {...fields, fixes: id})) as {readonly id: string};
  await log.decide(workUnitSlice, () => ({
    events: [{type: 'wu_reverted' as const, ...actorStampOf(context), id, commit: prepared.commit, reason, successor}],
    result: undefined,
  }));
  return {...prepared, successor, ...(checkout && {checkout})};
}

async function moveMain(context: DoneContext, prepared: PreparedMerge): Promise<void> {
  const {success, error} = await context.callTool('wu:forward-main', prepared);
  if (success) return;
  const message = `the main branch moved while the gates ran, so nothing was reverted: try again (${error?.message ?? 'it failed'})`;
  throw new ToolError('MAIN_MOVED', message, {...prepared, retryable: true});
}

async function updateOwnCheckout(
  context: DoneContext,
  main: string,
  prepared: PreparedMerge,
): Promise<CheckoutUpdate | undefined> {
  const own = (await listWorktrees(context)).find(({path}) => path === '.');
  if (own?.branch !== main) return undefined;
  const {success, data, error} = await context.callTool('wu:update-checkout', prepared);
  return success ? (data as CheckoutUpdate) : {updated: false, reason: error?.message ?? 'it failed'};
}
