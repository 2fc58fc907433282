// The record of a call's intent: caller, tool, execution mode, scopes, and the rules that decided.
import {cutText} from '../cut-text.ts';
import type {ExecutionMode, Writes} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import type {NewEvidenceRecord} from '../ports.ts';
import type {DecidedCall, NarrowedCall, ReceivedCall} from './call.ts';
import {callerOf} from './caller-of.ts';
import {callWrites} from './call-writes.ts';
import {roleOf} from './role-of.ts';

type NewIntent = Extract<NewEvidenceRecord, {type: 'tool_call_started'}>;

/** The `tool_call_started` record of a call, as far as the call came. */
export function intentRecord(
  kernel: Kernel,
  call: Partial<DecidedCall> & ReceivedCall,
  {mode, durable}: {readonly mode: ExecutionMode; readonly durable: boolean},
): NewEvidenceRecord {
  const {context, name, parent, previews} = call.request;
  const {tool, lane, scope_enforced, input_hash, input_ref, approval_request_id, execution_metadata} = call;
  return {
    type: 'tool_call_started',
    timestamp: call.timestamp,
    receipt_id: call.receipt_id,
    process_id: kernel.ports.processes.processId,
    run_id: callerText(context.run_id),
    task_id: callerText(context.task_id),
    session_id: callerText(context.session_id),
    tool_name: callerText(name),
    by: callerOf(call),
    surface: context.surface ?? 'api',
    role: roleOf(context),
    execution_mode: mode,
    spec_hash: kernel.ports.specGuard.specHash,
    policy_decisions: [...(call.policy_decisions ?? [])],
    ...sideResults(call),
    ...(context.person && {person: context.person}),
    ...(previews && {preview_of: previews.tool_name}),
    ...(parent && {parent_receipt_id: parent.receipt_id}),
    ...(lane && {lane_id: lane.spec.id}),
    ...(tool && {
      pack_id: tool.pack.manifest.id,
      pack_version: tool.pack.manifest.version,
      pack_integrity: tool.pack.integrity,
      scope_requested: [...(tool.declaration.required_scopes ?? [])],
    }),
    ...(scope_enforced && {scope_enforced}),
    ...writesPart(kernel, call),
    ...(input_hash !== undefined && {input_hash}),
    ...(input_ref !== undefined && {input_ref}),
    ...(approval_request_id !== undefined && {approval_request_id}),
    ...(execution_metadata && {execution_metadata}),
    ...(durable && {durable}),
  };
}

/** What limits count of it, what rules that observe would have led to, and where taint came from. */
function sideResults({
  counted,
  observed,
  tainted_by,
}: Partial<DecidedCall>): Partial<Pick<NewIntent, 'counted' | 'observed' | 'tainted_by'>> {
  return {
    ...(counted && {counted: [...counted]}),
    ...(observed && {observed}),
    ...(tainted_by && {tainted_by: [...tainted_by]}),
  };
}

/** Of a call that may write, as far as the call came. */
function writesPart(kernel: Kernel, call: Partial<DecidedCall> & ReceivedCall): {readonly writes?: Writes} {
  return isNarrowed(call) && call.scope_enforced.write.length > 0 ? {writes: callWrites(kernel, call)} : {};
}

function isNarrowed(call: Partial<NarrowedCall> & ReceivedCall): call is NarrowedCall {
  return call.grant !== undefined && call.scope_enforced !== undefined;
}

/** What a caller said is recorded as said, if it is a text of sane length: a refused call may carry anything. */
function callerText(said: unknown): string {
  return typeof said === 'string' ? cutText(said, 200) : `(${typeof said})`;
}
