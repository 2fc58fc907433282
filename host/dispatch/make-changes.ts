// Applies changes that the kernel requests itself, such as reverting others. No handler runs.
import type {DispatchOutcome, DispatchRequest} from '@lumenflow/kernel';
import type {GivenChanges} from '@lumenflow/kernel/adapters';
import type {Transactions} from '@lumenflow/sandbox';
import {failedOutput} from '../pool/index.ts';
import {CallFiles, type FilesPlace} from './call-files.ts';
import {changeSetOf} from './finish-transaction.ts';

const shownMax = 10;
const listedMax = 200;

export interface ChangesPlace {
  readonly place: FilesPlace;
  readonly transactions: Transactions;
  /** Fulfilled once the host has looked for interrupted calls. */
  readonly recovered: Promise<void>;
}

export async function makeChanges(
  request: DispatchRequest,
  given: GivenChanges,
  {place, transactions, recovered}: ChangesPlace,
): Promise<DispatchOutcome> {
  await recovered;
  const outcome = await new CallFiles(request, place).makeChanges(transactions, given);
  if (!outcome.ok) return {output: conflict(outcome.problem)};
  const made = outcome.value;
  const {entries, problem} = made.finished;
  const held = changeSetOf(made, request.receipt_id, made.finished);
  if (entries === undefined || held === undefined) throw new Error('changes that were made have no entries');
  if (problem === undefined) return {output: {success: true}, held};
  const message = `${problem.message}; nothing was changed`;
  return {output: failedOutput(problem.code, message, {...problem.details}), held};
}

function conflict(paths: readonly string[]): DispatchOutcome['output'] {
  const shown = paths.slice(0, shownMax).map((path) => `\`${path}\``);
  const more = paths.length > shownMax ? ` and ${paths.length - shownMax} more` : '';
  const message = `${shown.join(', ')}${more} changed since, so nothing was changed`;
  return failedOutput('WRITE_CONFLICT', message, {conflicts: paths.slice(0, listedMax)});
}
