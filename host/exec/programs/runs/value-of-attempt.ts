// The value of a call that succeeded, as programs see it: from memory, or from the evidence.
import {failed, ok, type KernelRuntime, type Outcome} from '@lumenflow/kernel';
import type {ToolFailure} from '@lumenflow/schemas';
import {plainValue} from '../../plain-value.ts';
import type {CallAttempt} from './call-attempt.ts';

export async function valueOfAttempt(
  {workspace, evidence}: KernelRuntime,
  tool: string,
  {data, output_ref, receipt_id}: CallAttempt,
): Promise<Outcome<unknown, ToolFailure>> {
  const text = output_ref === undefined ? undefined : await evidence.readBlob(output_ref);
  if (output_ref !== undefined && text === undefined) {
    const message = `the output of receipt ${receipt_id ?? ''} was redacted, so the program cannot continue with it`;
    return failed({code: 'EVIDENCE_UNAVAILABLE', message});
  }
  const value: unknown = text === undefined ? (data ?? null) : JSON.parse(text);
  return ok(workspace.tools.get(tool)?.declaration.mcp === undefined ? value : plainValue(value));
}
