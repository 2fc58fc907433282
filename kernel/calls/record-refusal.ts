// A refusal is evidence too: it is recorded like a call that ended at once, then returned to the caller.
import type {ToolOutput} from '@lumenflow/schemas';
import type {KernelError} from '../errors.ts';
import type {Kernel} from '../context/kernel.ts';
import type {FoundCall, Refusal} from './call.ts';
import {applyEvidencePolicy} from './apply-evidence-policy.ts';
import {intentRecord} from './intent-record.ts';
import {readInput} from './read-input.ts';

export async function recordRefusal(kernel: Kernel, refusal: Refusal): Promise<ToolOutput> {
  const {failure, intended} = refusal;
  const refused = await withInput(kernel, refusal.refused);
  const decisions = refused.policy_decisions;
  await kernel.ports.evidence.append(
    [
      ...(intended ? [] : [intentRecord(kernel, refused, {mode: 'none', durable: false})]),
      {
        type: 'tool_call_finished',
        timestamp: kernel.ports.clock.timestamp(),
        receipt_id: refused.receipt_id,
        // Validation, not authorization: nothing refused the caller.
        result: failure.code === 'INVALID_INPUT' ? 'invalid' : 'denied',
        duration_ms: kernel.ports.clock.monotonic() - refused.startedMs,
        error_code: failure.code,
        error_message: failure.message,
        ...(decisions && {policy_decisions: [...decisions]}),
      },
    ],
    {fsync: kernel.durability === 'always'},
  );
  const judged = judgedCall(refused);
  const raised = judged && applyEvidencePolicy(kernel, judged);
  if (raised !== undefined) await raised;
  return {success: false, error: failure, metadata: {receipt_id: refused.receipt_id}};
}

/** Stores the input of a call that was refused before the pipeline stored it. An input that is not JSON is not stored. */
async function withInput(kernel: Kernel, refused: Refusal['refused']): Promise<Refusal['refused']> {
  const {request, tool, input_hash} = refused;
  if (input_hash !== undefined || request.input === undefined) return refused;
  const read = readInput(tool ?? {name: request.name}, request.input);
  const {text} = read.ok ? read : read.problem;
  if (text === undefined) return refused;
  const {hash, ref} = await kernel.ports.contents.put(text);
  return {...refused, request: {...request, input: JSON.parse(text)}, input_hash: hash, input_ref: ref};
}

/** What rules see of it; undefined for a call without a tool or task. An input that is not stored is absent. */
function judgedCall(refused: Refusal['refused']): FoundCall | undefined {
  const {tool, task, run, lane, request, input_hash} = refused;
  if (!tool || !task || !run || !lane) return undefined;
  return {
    ...refused,
    tool,
    task,
    run,
    lane,
    request: input_hash === undefined ? {...request, input: undefined} : request,
  };
}

/** The caller's output if the log cannot be written: the call did not run. */
export function evidenceUnavailable(error: KernelError): ToolOutput {
  return {
    success: false,
    error: {
      code: 'EVIDENCE_UNAVAILABLE',
      message: `the call did not run, because it could not be recorded: ${error.message}`,
      details: {cause: error.code, ran: false, retryable: error.code !== 'LOG_CORRUPT'},
    },
  };
}
