// What a call would do now: its tool's preview is called with the same input, in the same task. A person sees its report, and
// an approval is valid only while the report stays the same.
import type {ApprovalPreview, ToolOutput} from '@lumenflow/schemas';
import {canonicalJson} from '../evidence/index.ts';
import type {Kernel} from '../context/kernel.ts';
import {parentCall} from './parent-call.ts';
import {refuse, type CallRequest, type CheckedCall, type ParentCall, type Refusal} from './call.ts';

export interface Previewed {
  readonly preview: ApprovalPreview;
  /** SHA-256 over the canonical output. */
  readonly digest: string;
}

type CallTool = (kernel: Kernel, request: CallRequest) => Promise<ToolOutput>;

/** Undefined for a tool that has no preview. A preview that fails refuses the call. */
export async function previewCall(
  kernel: Kernel,
  call: CheckedCall,
  callTool: CallTool,
): Promise<Previewed | Refusal | undefined> {
  const {preview: tool_name} = call.tool.declaration;
  if (tool_name === undefined) return undefined;
  const {input, context, checks} = call.request;
  // Its log and progress are dropped: they are not of the call that the caller made.
  const {onProgress: _progress, onLog: _log, ...quiet} = context;
  const {success, data, error, metadata} = await callTool(kernel, {
    name: tool_name,
    input,
    context: quiet,
    checks,
    parent: asParent(call),
    previews: {tool_name: call.tool.name, policy_decisions: call.policy_decisions},
  });
  const receipt_id = metadata?.receipt_id;
  if (!success || receipt_id === undefined) {
    const {code = 'TOOL_EXECUTION_FAILED', message = 'it failed', details} = error ?? {};
    // The call itself was cancelled, for its preview has the same signal: nothing failed.
    if (code === 'TOOL_CANCELLED') {
      return refuse(call, 'TOOL_CANCELLED', message, {...details, tool_name, preview_receipt_id: receipt_id});
    }
    const reason = `\`${call.tool.name}\` was not submitted for approval, because its preview failed: ${message}`;
    return refuse(call, 'PREVIEW_FAILED', reason, {
      ...details,
      tool_name,
      cause: code,
      preview_receipt_id: receipt_id,
    });
  }
  const {hash, ref} = await kernel.ports.contents.put(canonicalJson(data ?? null));
  return {preview: {tool_name, receipt_id, ref}, digest: hash};
}

function asParent(call: CheckedCall): ParentCall {
  const {parent} = call.request;
  return parentCall(call, {
    // It runs before the call has its own view, so it sees the same files as the call.
    writes: parent?.writes ?? 'direct',
    view_receipt_id: parent?.view_receipt_id,
    carryApproval: (asks) => parent?.carryApproval(asks),
    isOver: () => parent?.isOver() ?? false,
  });
}
