// Builds the outcome of a transactional call for the kernel: its output, and its writes, which are not applied yet.
import {createHash} from 'node:crypto';
import type {DispatchOutcome, RegisteredTool} from '@lumenflow/kernel';
import {pairRenames, sealChangeSet, type FinishedChanges} from '@lumenflow/kernel/adapters';
import type {FinishedView, Transaction, TransactionProblem} from '@lumenflow/sandbox';
import type {ToolOutput} from '@lumenflow/schemas';

export interface FinishedCall {
  readonly receiptId: string;
  readonly tool: RegisteredTool;
  readonly output: ToolOutput;
}

/** If there are changes, the kernel closes the transaction; otherwise the caller does. */
export async function finishTransaction(transaction: Transaction, call: FinishedCall): Promise<DispatchOutcome> {
  const {tool, output} = call;
  const hasSucceeded = output.success && fitsSchema(tool, output);
  const finished = await transaction.finish(hasSucceeded);
  const {problem} = finished;
  const held = changeSetOf(transaction, call.receiptId, finished);
  return {
    output:
      problem === undefined || !(hasSucceeded || explains(problem, output, transaction))
        ? output
        : failedBy(problem, output),
    ...(held && {held}),
  };
}

export function changeSetOf(
  transaction: Pick<Transaction, 'text' | 'apply' | 'park' | 'close'>,
  receiptId: string,
  {entries}: FinishedView,
): FinishedChanges | undefined {
  if (entries === undefined) return undefined;
  const changes = sealChangeSet(pairRenames(entries), {
    sha256: (content) => createHash('sha256').update(content).digest('hex'),
  });
  const closing = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } finally {
      await transaction.close();
    }
  };
  return {
    changes,
    text: (path, side, maxBytes) => transaction.text(path, side, maxBytes),
    apply: () => closing(transaction.apply(receiptId)),
    park: () => closing(transaction.park(receiptId)),
    discard: () => transaction.close(),
  };
}

/** The kernel checks the changes again and records them. Changes of a failed call are not judged. */
function fitsSchema({validateOutput}: RegisteredTool, {data}: ToolOutput): boolean {
  return data === undefined || validateOutput(data).length === 0;
}

/** A handler reports a full file system in its own words. A call killed for a limit was not cancelled. */
function explains({code}: TransactionProblem, {error}: ToolOutput, {exceeded}: Transaction): boolean {
  if (code !== 'LIMIT_EXCEEDED') return false;
  return exceeded.aborted || (error?.code !== 'TOOL_TIMEOUT' && error?.code !== 'TOOL_CANCELLED');
}

function failedBy({code, message, details}: TransactionProblem, {error}: ToolOutput): ToolOutput {
  return {success: false, error: {code, message, details: {...details, ...(error !== undefined && {cause: error})}}};
}
