// A person applies or discards changes that were kept. Where they do not end as asked, every surface reports a failure.
import {pathText} from './path-text.ts';
import type {Person} from '@lumenflow/schemas';
import type {KernelRuntime, KeptChanges, TransitionFailure, TransitionResult} from '@lumenflow/kernel';

export interface SettleCommand {
  readonly receipt_id: string;
  readonly intent: 'apply' | 'discard';
  readonly by: string;
  /** Who `by` is, if the surface has seen the person sign in. */
  readonly person?: Person | undefined;
  readonly reason?: string;
}

export async function settleChanges(
  {changes}: Pick<KernelRuntime, 'changes'>,
  {intent, ...command}: SettleCommand,
): Promise<TransitionResult<KeptChanges>> {
  const result = await changes[intent](command);
  const error = result.success ? unsettled(result.data, intent) : undefined;
  return error === undefined ? result : {success: false, error};
}

/** Why changes did not end as asked; undefined when they did, or when another process is about to settle them. */
export function unsettled(
  {receipt_id, state, conflicts = [], reason}: KeptChanges,
  intent: SettleCommand['intent'],
): TransitionFailure | undefined {
  if (state === 'settling' || state === (intent === 'apply' ? 'applied' : 'discarded')) return undefined;
  if (state === 'conflict') {
    const shown = conflicts.slice(0, 10).map((path) => `\`${pathText(path)}\``);
    const more = conflicts.length > shown.length ? ` and ${conflicts.length - shown.length} more` : '';
    const message = `${shown.join(', ')}${more} changed since the call, so nothing was applied; the changes of \`${receipt_id}\` are kept`;
    return {code: 'WRITE_CONFLICT', message, details: {receipt_id, conflicts}};
  }
  const what = state === 'failed' ? 'could not be applied' : `are ${state}`;
  const why = reason === undefined ? '' : `: ${reason}`;
  return {
    code: 'CHANGES_NOT_KEPT',
    message: `the changes of \`${receipt_id}\` ${what}${why}`,
    details: {receipt_id, state},
  };
}
