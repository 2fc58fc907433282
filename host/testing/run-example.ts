// Calls a tool once and tells all that came of it: the output, what was logged, what changed on disk.
import type {ToolOutput} from '@lumenflow/schemas';
import type {TestedPack} from './test-pack.ts';
import {changedPaths, readTree} from './tree-changes.ts';

export interface Example {
  readonly tool: string;
  readonly input: unknown;
  readonly signal?: AbortSignal;
}

export interface ExampleRun {
  readonly input: unknown;
  readonly output: ToolOutput;
  /** Paths that are new, gone or different afterwards. */
  readonly changed: readonly string[];
  /** Everything that the tool said: output, progress and log, as JSON. */
  readonly text: string;
}

/** A call that waits for an approval gets it: what a pack's own rules ask for is not what is tried here. */
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
