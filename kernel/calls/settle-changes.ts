// What becomes of the files that a call wrote: applied when it has succeeded, discarded otherwise. Nothing of it is in
// the workspace before this stage.
import type {ChangeSet, ChangesState, ToolOutput} from '@lumenflow/schemas';
import type {MaybePromise} from '../maybe-promise.ts';
import type {ApplyResult, DispatchOutcome, FinishedChanges} from '../ports.ts';
import type {CheckedOutcome} from './check-output.ts';

/** The part of an outcome that tells of a change set. */
export interface SettledChanges {
  readonly state: ChangesState;
  readonly set: ChangeSet;
}

export interface SettledOutcome extends CheckedOutcome {
  readonly changes?: SettledChanges;
}

export function settleChanges(outcome: CheckedOutcome): MaybePromise<SettledOutcome> {
  const {held} = outcome.dispatched;
  return held === undefined ? outcome : settleHeld(outcome, held);
}

async function settleHeld(outcome: CheckedOutcome, held: FinishedChanges): Promise<SettledOutcome> {
  const {dispatched} = outcome;
  const settled = dispatched.output.success ? await apply(held) : await discard(held, dispatched.output);
  const {state, ...parts} = settled;
  return {...outcome, dispatched: {...dispatched, ...parts}, changes: {state, set: held.changes}};
}

type Settled = Partial<DispatchOutcome> & {readonly state: ChangesState};

async function discard(held: FinishedChanges, output: ToolOutput): Promise<Settled> {
  await held.discard();
  return {state: 'discarded', output};
}

async function apply(held: FinishedChanges): Promise<Settled> {
  try {
    const result = await held.apply();
    return result.state === 'applied'
      ? {state: 'applied', artifacts_written: result.written}
      : {state: 'conflict', output: conflict(result)};
  } catch (error) {
    const message = `what the call wrote could not be applied: ${String(error)}; nothing of what the call wrote was applied`;
    return {state: 'discarded', output: {success: false, error: {code: 'TOOL_EXECUTION_FAILED', message}}};
  }
}

function conflict({conflicts, kept_in}: Extract<ApplyResult, {state: 'conflict'}>): ToolOutput {
  const shown = conflicts
    .slice(0, 10)
    .map((path) => `\`${path}\``)
    .join(', ');
  const more = conflicts.length > 10 ? ` and ${conflicts.length - 10} more` : '';
  const message = `${shown}${more} changed during the call, so nothing of what the call wrote was applied; it is kept in \`${kept_in}\``;
  return {
    success: false,
    error: {
      code: 'WRITE_CONFLICT',
      message,
      details: {conflicts: conflicts.slice(0, 200), kept_in, retryable: true},
    },
  };
}
