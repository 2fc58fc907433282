// Approval: if policy requires a person, an earlier approval may allow exactly the same call with exactly the same effects.
// Otherwise a person is asked. The input is valid at this stage.
import type {ToolOutput} from '@lumenflow/schemas';
import type {ApprovalRecord} from '../approvals/approval-record.ts';
import type {Kernel} from '../context/kernel.ts';
import type {MaybePromise} from '../maybe-promise.ts';
import type {PolicyResult} from '../policy/index.ts';
import {requiresPasskey} from '../passkeys/refuse-unsigned.ts';
import {consultApproval} from '../transitions/consult-approval.ts';
import {
  callSubject,
  grow,
  isRefusal,
  refuse,
  type CallRequest,
  type CheckedCall,
  type PermittedCall,
  type Refusal,
} from './call.ts';
import {decidingRule} from './deny-by-policy.ts';
import {governingLayers} from './governing-layers.ts';
import {isPermittedByProgram} from './permitted-by-program.ts';
import {withInput} from './append-records.ts';
import {callerOf} from './caller-of.ts';
import {previewCall} from './preview-call.ts';

type CallTool = (kernel: Kernel, request: CallRequest) => Promise<ToolOutput>;

export function seekApproval(
  kernel: Kernel,
  call: CheckedCall,
  callTool: CallTool,
): MaybePromise<PermittedCall | Refusal> {
  if (call.asks === undefined || (!namesApprovers(call.asks) && isPermittedByProgram(kernel, call)))
    return permit(call);
  const asked = {asks: call.asks, callTool};
  return withInput(kernel, call, (current) => ask(kernel, current, asked));
}

/** Any person can approve a program, so that its approval does not replace those of approvers that a rule names. */
function namesApprovers({decisions}: PolicyResult): boolean {
  return decisions.some(({approvers, warning}) => approvers !== undefined && warning === undefined);
}

function permit(call: CheckedCall): PermittedCall {
  return grow(call, {permitted: true as const});
}

async function ask(
  kernel: Kernel,
  call: CheckedCall,
  {asks, callTool}: {readonly asks: PolicyResult; readonly callTool: CallTool},
): Promise<PermittedCall | Refusal> {
  const previewed = await previewCall(kernel, call, callTool);
  if (previewed && isRefusal(previewed)) return previewed;
  const asked = await consultApproval(kernel, {
    subject: callSubject(call, kernel.policyDigestCache.of(governingLayers(kernel, call)), previewed?.digest),
    input_ref: call.input_ref,
    preview: previewed?.preview,
    actor: callerOf(call),
    asks,
  });
  if (asked.answer === 'not_asked') return refuse(call, asked.code, asked.message, asked.details);
  const {answer, approval} = asked;
  if (answer === 'approved') return permit({...call, approval_request_id: approval.request_id});
  return answer === 'pending' ? waits(call, asks, approval) : rejected(call, asks, approval);
}

function waits(call: CheckedCall, asks: PolicyResult, approval: ApprovalRecord): Refusal {
  const {request_id, expires_at} = approval;
  const message = `\`${call.tool.name}\` waits for approval: request \`${request_id}\``;
  return refuse(call, 'APPROVAL_REQUIRED', message, {
    request_id,
    ...decidingRule(asks),
    expires_at,
    ...(requiresPasskey(approval) && {passkey: true}),
  });
}

function rejected(call: CheckedCall, asks: PolicyResult, approval: ApprovalRecord): Refusal {
  const {request_id, resolved_by, resolved_at} = approval;
  const reason = approval.reason === undefined ? '' : `: ${approval.reason}`;
  return refuse(call, 'POLICY_DENIED', `\`${resolved_by ?? ''}\` rejected exactly this call${reason}`, {
    request_id,
    ...decidingRule(asks),
    rejected_by: resolved_by,
    rejected_at: resolved_at,
    remedy: 'do not repeat this call: a call with other input asks again',
  });
}
