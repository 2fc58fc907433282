// What becomes of a transactional call: its changes stand only when the call does.
import type {DispatchOutcome, RegisteredTool} from '@lumenflow/kernel';
import type {Transaction, TransactionFailure} from '@lumenflow/sandbox';
import type {ToolOutput} from '@lumenflow/schemas';

export async function settleTransaction(
  transaction: Transaction,
  tool: RegisteredTool,
  output: ToolOutput,
): Promise<DispatchOutcome> {
  const hasSucceeded = output.success && fitsSchema(tool, output);
  const {changes, written, failure} = await transaction.settle(hasSucceeded);
  return {
    output:
      failure === undefined || !(hasSucceeded || explains(failure, output, transaction))
        ? output
        : failedBy(failure, output),
    artifacts_written: written,
    ...(changes !== undefined && {changes}),
  };
}

/** The kernel checks this again, and records it; by then it would be too late to discard anything. */
function fitsSchema({validateOutput}: RegisteredTool, {data}: ToolOutput): boolean {
  return data === undefined || validateOutput(data).length === 0;
}

/** A handler that met a full file system reports it in its own words, and one that was ended for a limit was not cancelled. */
function explains({code}: TransactionFailure, {error}: ToolOutput, {exceeded}: Transaction): boolean {
  if (code !== 'LIMIT_EXCEEDED') return false;
  return exceeded.aborted || (error?.code !== 'TOOL_TIMEOUT' && error?.code !== 'TOOL_CANCELLED');
}

function failedBy({code, message, details}: TransactionFailure, {error}: ToolOutput): ToolOutput {
  return {success: false, error: {code, message, details: {...details, ...(error !== undefined && {cause: error})}}};
}
