// Removes the worktree and branch of a finished work unit, whose commits are on the main branch. A separate call removes them, so
// that they are gone before the log says so.
import {callUntilApplied} from '../nested-calls/call-or-throw.ts';
import {actorStampOf} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import type {DoneContext} from './check-work.ts';
import {doneSlice} from './done-slice.ts';

/** Throws ToolErrors WORKTREE_DIRTY and WORKTREE_LEFT. */
export async function cleanUp(context: DoneContext, log: DeliveryLog, unit: WorkUnit): Promise<void> {
  await removeWork(context, log, unit);
  await recordCleaned(context, log, unit);
}

/** Throws ToolErrors WORKTREE_DIRTY and WORKTREE_LEFT. */
export async function removeWork(context: DoneContext, log: DeliveryLog, unit: WorkUnit): Promise<void> {
  const {
    spec: {id},
    worktree,
    branch,
  } = unit;
  const head = (await log.read(doneSlice))[id]?.head;
  await callUntilApplied(context, 'wu:remove-worktree', {
    ...(worktree !== undefined && {path: worktree}),
    // Only the merged commits: later commits are somebody's work.
    ...(branch !== undefined && head !== undefined && {branch, head}),
  });
}

export async function recordCleaned(context: DoneContext, log: DeliveryLog, {spec: {id}}: WorkUnit): Promise<void> {
  await log.decide(doneSlice, (state) => ({
    events: id in state ? [{type: 'done_cleaned' as const, ...actorStampOf(context), id}] : [],
    result: undefined,
  }));
}
