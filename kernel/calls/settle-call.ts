// The outcome: checked against the output schema, recorded, and handed to the caller with its receipt.
import type {CallResult, ToolOutput} from '@lumenflow/schemas';
import {isKernelError} from '../errors.ts';
import {canonicalJson, isNotCanonicalError} from '../evidence/index.ts';
import type {Kernel} from '../kernel.ts';
import type {DispatchOutcome} from '../ports.ts';
import {decideOnEvidence} from './decide-on-evidence.ts';
import type {AdmittedCall} from './call.ts';
import type {CallOutcome} from './dispatch-call.ts';

export async function settleCall(kernel: Kernel, call: AdmittedCall, outcome: CallOutcome): Promise<ToolOutput> {
  const {output, text} = checkOutput(call, outcome.dispatched.output);
  const metadata = metadataOf(call, outcome.dispatched, output);
  try {
    await recordOutcome(kernel, call, outcome, {output, text});
    const raised = decideOnEvidence(kernel, call);
    if (raised !== undefined) await raised;
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
  return withMetadata(output, metadata);
}

function metadataOf(
  {receipt_id}: AdmittedCall,
  {artifacts_written = []}: DispatchOutcome,
  {metadata}: ToolOutput,
): Record<string, unknown> {
  const artifacts = artifacts_written.length > 0 && {artifacts_written: [...artifacts_written]};
  return metadata || artifacts ? {...metadata, receipt_id, ...artifacts} : {receipt_id};
}

/** Spelt out: a spread of what a thread has sent costs as much as a stage of the call. */
function withMetadata({success, data, error}: ToolOutput, metadata: Record<string, unknown>): ToolOutput {
  if (error !== undefined) return data === undefined ? {success, error, metadata} : {success, data, error, metadata};
  return data === undefined ? {success, metadata} : {success, data, metadata};
}

interface CheckedOutput {
  readonly output: ToolOutput;
  readonly text?: string | undefined;
}

/** The output with its canonical text; one that does not fit its schema or JSON becomes INVALID_OUTPUT. */
function checkOutput(call: AdmittedCall, output: ToolOutput): CheckedOutput {
  if (!output.success || output.data === undefined) return {output};
  const issues = call.tool.validateOutput(output.data);
  const first = issues[0];
  const invalid = (why: string, details: Record<string, unknown>): CheckedOutput => ({
    output: {
      success: false,
      error: {code: 'INVALID_OUTPUT', message: `the output of \`${call.tool.name}\` ${why}`, details},
    },
  });
  if (first) return invalid(`does not fit its schema: ${first.pointer || 'the output'} ${first.message}`, {issues});
  try {
    return {output, text: canonicalJson(output.data)};
  } catch (error) {
    if (!isNotCanonicalError(error)) throw error;
    return invalid(`cannot be kept as JSON without loss: ${error.message}`, {pointer: error.pointer});
  }
}

async function recordOutcome(
  kernel: Kernel,
  call: AdmittedCall,
  {dispatched, log}: CallOutcome,
  {output, text}: CheckedOutput,
): Promise<void> {
  const {evidence, clock} = kernel.ports;
  const {enforcement, artifacts_written, changes} = dispatched;
  const kept = text === undefined ? undefined : await evidence.putBlob(text);
  const keptLog = log === '' ? undefined : await evidence.putBlob(log);
  await evidence.append(
    [
      {
        type: 'tool_call_finished',
        timestamp: clock.timestamp(),
        receipt_id: call.receipt_id,
        result: resultOf(output),
        duration_ms: Math.round((clock.monotonic() - call.startedMs) * 1_000) / 1_000,
        ...(output.error && {error_code: output.error.code, error_message: output.error.message}),
        ...(kept && {output_hash: kept.hash, output_ref: kept.ref}),
        ...(keptLog && {log_hash: keptLog.hash, log_ref: keptLog.ref}),
        ...(artifacts_written?.length ? {artifacts_written: [...artifacts_written]} : {}),
        ...(changes && {changes}),
        ...(enforcement && {enforcement}),
      },
    ],
    {fsync: kernel.durability === 'always'},
  );
}

function resultOf(output: ToolOutput): CallResult {
  if (output.success) return 'success';
  return output.error?.code === 'TOOL_CRASHED' ? 'crashed' : 'failure';
}
