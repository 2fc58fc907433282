// A refusal is evidence too: it is recorded like a call that ended at once, then returned to the caller.
import type {ToolOutput} from '@lumenflow/schemas';
import type {KernelError} from '../errors.ts';
import type {Kernel} from '../context/kernel.ts';
import type {NewEvidenceRecord} from '../ports.ts';
import {appendWithInput} from './append-records.ts';
import type {FoundCall, Refusal} from './call.ts';
import {applyEvidencePolicy} from './apply-evidence-policy.ts';
import {intentRecord} from './intent-record.ts';
import {readInput} from './read-input.ts';

export async function recordRefusal(kernel: Kernel, refusal: Refusal): Promise<ToolOutput> {
  const {failure, intended} = refusal;
  const stored = await withInput(kernel, refusal.refused);
  const refused = await appendWithInput(kernel, stored, (call) =>
    kernel.ports.evidence.append(
      [
        ...(intended ? [] : [intentRecord(kernel, call, {mode: 'none', durable: false})]),
        outcomeOf(kernel, call, failure),
      ],
      {fsync: kernel.durability === 'always'},
    ),
  );
  const judged = judgedCall(refused);
  const raised = judged && applyEvidencePolicy(kernel, judged);
  if (raised !== undefined) await raised;
  return {success: false, error: failure, metadata: {receipt_id: refused.receipt_id}};
}

function outcomeOf(
  {ports: {clock}}: Kernel,
  {receipt_id, startedMs, policy_decisions: decisions}: Refusal['refused'],
  failure: Refusal['failure'],
): NewEvidenceRecord {
  return {
    type: 'tool_call_finished',
    timestamp: clock.timestamp(),
    receipt_id,
    // Validation, not authorization: nothing refused the caller.
    result: failure.code === 'INVALID_INPUT' ? 'invalid' : 'denied',
    duration_ms: clock.monotonic() - startedMs,
    error_code: failure.code,
    error_message: failure.message,
    ...(decisions && {policy_decisions: [...decisions]}),
  };
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
