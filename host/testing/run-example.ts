// Calls a tool once and returns the output, the log and the changes on disk.
import type {ToolOutput} from '@lumenflow/schemas';
import type {TestedPack} from './test-pack.ts';
import {changedPaths, readTree} from './tree-changes.ts';

export interface Example {
  readonly tool: string;
  readonly input: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface ExampleRun {
  readonly input: unknown;
  readonly output: ToolOutput;
  /** Paths that were added, removed or changed. */
  readonly changed: readonly string[];
  /** All output, progress and log messages of the tool, as JSON. */
  readonly text: string;
}

/** Approves a call that waits for approval, because the pack's own rules are not under test here. */
export async function runExample(pack: TestedPack, {tool, input, signal}: Example): Promise<ExampleRun> {
  const before = await readTree(pack.root);
  const progress: unknown[] = [];
  const call = (): Promise<ToolOutput> =>
    pack.call(tool, input, {onProgress: (payload) => progress.push(payload), ...(signal && {signal})});
  let output = await call();
  if (output.error?.code === 'APPROVAL_REQUIRED') {
    for (const {request_id} of pack.host.runtime.listApprovals({state: 'pending'})) {
      await pack.host.runtime.resolveApproval({request_id, approved: true, approved_by: 'conformance'});
    }
    output = await call();
  }
  const receiptId = output.metadata?.receipt_id;
  const receipt = receiptId === undefined ? undefined : await pack.host.runtime.evidence.receipt(receiptId);
  const logRef = receipt?.finished?.log_ref;
  const log = logRef === undefined ? '' : await pack.host.runtime.evidence.readBlob(logRef);
  return {
    input,
    output,
    changed: changedPaths(before, await readTree(pack.root)),
    text: `${JSON.stringify([output, progress])}${log ?? ''}`,
  };
}
