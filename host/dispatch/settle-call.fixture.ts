// Settles a call's changes as the kernel does.
import type {DispatchOutcome, RegisteredTool} from '@lumenflow/kernel';
import type {FinishedChanges} from '@lumenflow/kernel/adapters';
import type {ChangeSet} from '@lumenflow/schemas';

export interface SettleOptions {
  readonly validateOutput?: RegisteredTool['validateOutput'];
  /** Parks the call's changes, runs this function, then applies them. */
  readonly whileParked?: () => void;
}

/** Runs a call, then applies its changes if it succeeded and discards them otherwise. */
export interface SettledCall extends DispatchOutcome {
  readonly changes?: ChangeSet & {readonly state: 'applied' | 'conflict' | 'discarded'};
  readonly conflicts?: readonly string[];
}

export async function settleCall(
  outcome: DispatchOutcome,
  {validateOutput, whileParked}: SettleOptions,
  applyParked: (changes: ChangeSet) => ReturnType<FinishedChanges['apply']> | undefined,
): Promise<SettledCall> {
  const {held, output} = outcome;
  if (held === undefined) return outcome;
  if (!output.success || (validateOutput?.(output.data) ?? []).length > 0) {
    await held.discard();
    return {...outcome, changes: {...held.changes, state: 'discarded'}};
  }
  const kept = whileParked === undefined ? undefined : await held.park();
  if (kept?.state === 'conflict')
    return {...outcome, changes: {...held.changes, state: 'conflict'}, conflicts: kept.conflicts};
  whileParked?.();
  const result = await (whileParked === undefined ? held.apply() : applyParked(held.changes));
  if (result === undefined) throw new Error('nothing can be parked');
  const changes = {...held.changes, state: result.state};
  if (result.state === 'conflict') return {...outcome, changes, conflicts: result.conflicts};
  return {...outcome, changes, artifacts_written: result.written};
}
