// The outcome is recorded, and handed to the caller with its receipt.
import type {CallResult, RecordedChanges, ToolOutput} from '@lumenflow/schemas';
import {isKernelError} from '../errors.ts';
import {recordedChanges} from '../changes/recorded-changes.ts';
import {canonicalJson} from '../evidence/index.ts';
import type {Kernel} from '../context/kernel.ts';
import type {DispatchOutcome} from '../ports.ts';
import {applyEvidencePolicy} from './apply-evidence-policy.ts';
import {storeAndAppend} from '../context/store-and-append.ts';
import type {AdmittedCall} from './call.ts';
import {countOutput} from './count-output.ts';
import type {SettledChanges, SettledOutcome} from './settled-changes.ts';

export async function settleCall(kernel: Kernel, call: AdmittedCall, outcome: SettledOutcome): Promise<ToolOutput> {
  const {output} = outcome.dispatched;
  const metadata = metadataOf(call, outcome.dispatched);
  try {
    const {changes} = outcome;
    const recorded = await storeAndAppend(async () => {
      const stored = changes && (await recordChanges(kernel, changes));
      await recordOutcome(kernel, call, outcome, stored);
      return stored;
    });
    const counting = countOutput(kernel, call, output);
    if (counting !== undefined) await counting;
    const raised = applyEvidencePolicy(kernel, call);
    if (raised !== undefined) await raised;
    return withMetadata(output, recorded?.dry_run === true ? {...metadata, changes: recorded} : metadata);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    return {
      success: false,
      error: {
        code: 'EVIDENCE_UNAVAILABLE',
        message: `the tool ran, but its outcome could not be recorded: ${error.message}`,
        details: {cause: error.code, ran: true, outcome: output},
      },
      metadata,
    };
  }
}

function metadataOf(
  {receipt_id}: AdmittedCall,
  {artifacts_written = [], output: {metadata}}: DispatchOutcome,
): Record<string, unknown> {
  const artifacts = artifacts_written.length > 0 && {artifacts_written: [...artifacts_written]};
  return metadata || artifacts ? {...metadata, receipt_id, ...artifacts} : {receipt_id};
}

/** Field by field: a spread of a thread's answer costs as much as a stage of the call. */
function withMetadata({success, data, error}: ToolOutput, metadata: Record<string, unknown>): ToolOutput {
  if (error !== undefined) return data === undefined ? {success, error, metadata} : {success, data, error, metadata};
  return data === undefined ? {success, metadata} : {success, data, metadata};
}

async function recordOutcome(
  kernel: Kernel,
  call: AdmittedCall,
  {dispatched, text, log, children, policy_decisions, observed}: SettledOutcome,
  recorded: RecordedChanges | undefined,
): Promise<void> {
  const {evidence, contents, clock} = kernel.ports;
  const {output, enforcement, artifacts_written} = dispatched;
  const kept = text === undefined ? undefined : await contents.put(text);
  const keptLog = log === '' ? undefined : await contents.put(log);
  await evidence.append(
    [
      {
        type: 'tool_call_finished',
        timestamp: clock.timestamp(),
        receipt_id: call.receipt_id,
        result: resultOf(output, policy_decisions),
        duration_ms: Math.round((clock.monotonic() - call.startedMs) * 1_000) / 1_000,
        ...(output.error && {error_code: output.error.code, error_message: output.error.message}),
        ...(kept && {output_hash: kept.hash, output_ref: kept.ref}),
        ...(keptLog && {log_hash: keptLog.hash, log_ref: keptLog.ref}),
        ...(children.length > 0 && {child_receipt_ids: [...children]}),
        ...(policy_decisions?.length ? {policy_decisions: [...policy_decisions]} : {}),
        ...(observed && {observed}),
        ...(artifacts_written?.length ? {artifacts_written: [...artifacts_written]} : {}),
        ...(recorded && {changes: recorded}),
        ...(enforcement && {enforcement}),
      },
    ],
    {fsync: kernel.durability === 'always' || areKept(recorded)},
  );
}

async function recordChanges({ports}: Kernel, {set, ...reported}: SettledChanges): Promise<RecordedChanges> {
  const {ref} = await ports.contents.put(canonicalJson(set));
  return {...reported, ...recordedChanges(set, ref)};
}

/** A person may ask for them at any later time. */
function areKept(recorded: RecordedChanges | undefined): boolean {
  return recorded?.state === 'parked' || recorded?.state === 'conflict';
}

function resultOf(output: ToolOutput, decisions: SettledOutcome['policy_decisions'] = []): CallResult {
  if (output.success) return 'success';
  if (output.error?.code === 'POLICY_DENIED' && decisions.some(({decision}) => decision === 'deny')) return 'denied';
  return output.error?.code === 'TOOL_CRASHED' ? 'crashed' : 'failure';
}
