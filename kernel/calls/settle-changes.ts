// Settles the files that a call wrote. They are discarded if it failed or was a dry run. Otherwise policy decides: they are
// applied, parked for a person, or discarded. None of them is in the workspace before this stage.
import type {ChangeSet, ObservedPolicy} from '@lumenflow/schemas';
import {keepContents} from '../changes/keep-contents.ts';
import type {Kernel} from '../context/kernel.ts';
import type {MaybePromise} from '../maybe-promise.ts';
import type {FinishedChanges} from '../dispatch/finished-changes.ts';
import type {AdmittedCall, ParentCall} from './call.ts';
import {changesConflict, changesDenied} from './changes-failure.ts';
import type {CheckedOutcome} from './check-output.ts';
import {compareStrictness} from '../policy/index.ts';
import type {JudgedOutcome} from './judge-result.ts';
import {decideChanges, withCarried, type ChangesDecision} from './decide-changes.ts';
import type {SettledSet, Settled, SettledOutcome} from './settled-changes.ts';
import {parkChanges} from './park-changes.ts';

export function settleChanges(
  kernel: Kernel,
  call: AdmittedCall,
  outcome: JudgedOutcome,
): MaybePromise<SettledOutcome> {
  const {held} = outcome.dispatched;
  return held === undefined ? outcome : settleTransaction(kernel, call, outcome, held);
}

async function settleTransaction(
  kernel: Kernel,
  call: AdmittedCall,
  outcome: JudgedOutcome,
  held: FinishedChanges,
): Promise<SettledOutcome> {
  const {dispatched} = outcome;
  const set = await keptSet(kernel, held);
  const {parts, policy_decisions, observed, ...reported} = await settle(kernel, call, outcome, {held, set});
  return {
    ...outcome,
    dispatched: {...dispatched, ...parts},
    changes: {...reported, set, ...(dispatched.reverts !== undefined && {reverts: dispatched.reverts})},
    policy_decisions: [...(outcome.policy_decisions ?? []), ...(policy_decisions ?? [])],
    observed: both(outcome.observed, observed),
  };
}

function both(one: ObservedPolicy | undefined, other: ObservedPolicy | undefined): ObservedPolicy | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const isStricter = compareStrictness(one.decision, other.decision) > 0;
  return {decision: isStricter ? one.decision : other.decision, rules: [...one.rules, ...other.rules]};
}

/** A change set that cannot be kept is returned by paths and hashes. */
async function keptSet({ports}: Kernel, held: FinishedChanges): Promise<ChangeSet> {
  try {
    return await keepContents(ports.contents, held);
  } catch {
    return held.changes;
  }
}

async function settle(
  kernel: Kernel,
  call: AdmittedCall,
  {dispatched, carried}: CheckedOutcome,
  {held, set}: SettledSet,
): Promise<Settled> {
  if (!dispatched.output.success) return await discard(held);
  const own = await decideChanges(kernel, call, held);
  const decided = withCarried(kernel, call, {decided: own, carried, held});
  const judged = {policy_decisions: decided?.decisions ?? [], observed: own?.observed};
  if (decided?.decision === 'deny') {
    return {...(await discard(held)), ...judged, parts: {output: changesDenied(call, decided)}};
  }
  const {context, parent} = call.request;
  if (parent?.view_receipt_id !== undefined) {
    return {...(await merge(held, parent, decided)), ...judged};
  }
  if (context.dry_run === true) return {...(await discard(held)), dry_run: true, ...judged};
  if (decided?.decision === 'approval_required') {
    return {...(await parkChanges(kernel, call, decided, {held, set})), ...judged};
  }
  return {...(await apply(held)), ...judged};
}

/** A nested call's changes wait, are applied and discarded with those of its outermost caller. */
async function merge(
  held: FinishedChanges,
  parent: ParentCall,
  decided: ChangesDecision | undefined,
): Promise<Settled> {
  // Before its caller can have ended: the caller does not wait for calls that its handler did not wait for.
  if (decided?.decision === 'approval_required') parent.carryApproval(decided);
  const settled = await apply(held);
  return settled.state === 'applied' ? {...settled, state: 'merged'} : settled;
}

async function discard(held: FinishedChanges): Promise<Settled> {
  await held.discard();
  return {state: 'discarded'};
}

async function apply(held: FinishedChanges): Promise<Settled> {
  try {
    const result = await held.apply();
    return result.state === 'applied'
      ? {state: 'applied', parts: {artifacts_written: result.written}}
      : {state: 'conflict', parts: {output: changesConflict(result)}};
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `what the call wrote could not be applied: ${why}`;
    return {state: 'discarded', parts: {output: {success: false, error: {code: 'TOOL_EXECUTION_FAILED', message}}}};
  }
}
