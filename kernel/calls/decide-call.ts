// Policy: the four layers decide, and an approval asked for earlier may let the very same call through.
import type {PolicyTrigger} from '@lumenflow/schemas';
import {askApproval} from '../transitions/ask-approval.ts';
import type {Kernel} from '../kernel.ts';
import {isKernelTool} from '../kernel-tools/answer-kernel-tool.ts';
import {isPromise, type MaybePromise} from '../maybe-promise.ts';
import {
  evaluatePolicy,
  evidenceDataOf,
  type PolicyLayers,
  type PolicyQuestion,
  type PolicyResult,
  type TaskEvidence,
} from '../policy/index.ts';
import {readTaskEvidence} from '../transitions/task-evidence.ts';
import {policyStack} from '../workspace/policy-stack.ts';
import {
  callSubject,
  refuse,
  type CheckedCall,
  type DecidedCall,
  type FoundCall,
  type Growing,
  type NarrowedCall,
  type PersistedCall,
  type Refusal,
} from './call.ts';

export function decideCall(kernel: Kernel, call: PersistedCall): MaybePromise<DecidedCall | Refusal> {
  const question = toolQuestion(kernel, call);
  if (isPromise(question)) return question.then((asked) => decideQuestion(kernel, call, asked));
  return decideQuestion(kernel, call, question);
}

function decideQuestion(
  kernel: Kernel,
  call: PersistedCall,
  question: PolicyQuestion,
): MaybePromise<DecidedCall | Refusal> {
  const result = evaluatePolicy(question);
  const decided = call as Growing<DecidedCall>;
  decided.policy_decisions = result.decisions;
  const {evidence} = question.request.context;
  if (evidence !== undefined) decided.calls_seen = evidence;
  if (result.decision === 'allow') return decided;
  if (result.decision === 'deny') return denyByPolicy(decided, result);
  return decideByApproval(kernel, decided, result);
}

/**
 * Calls that are decided at the same moment do not see each other, but their intents stand in one order: a call that was
 * decided by what its task had called is decided once more on all that came before its intent. So of two that would
 * both be the last within a limit, one is. Undefined when that changes nothing.
 */
export async function denyOvertaken(
  kernel: Kernel,
  call: CheckedCall,
  seen: readonly TaskEvidence[],
): Promise<Refusal | undefined> {
  const {receipt_id} = call;
  const {receipts} = await kernel.ports.evidence.read({task_id: call.task.spec.id, limit: 2});
  const [newest, previous] = receipts.map((receipt) => receipt.receipt_id);
  if (newest === receipt_id && previous === seen.at(-1)?.receipt_id) return undefined;
  const result = evaluatePolicy(await toolQuestion(kernel, call, receipt_id));
  const decided = {...call, policy_decisions: result.decisions};
  if (result.decision === 'deny') return {...denyByPolicy(decided, result), intended: true};
  if (result.decision === 'allow' || call.approval_request_id !== undefined) return undefined;
  // Nobody was asked, and this call is recorded already: the next one asks.
  const message = `\`${call.tool.name}\` needs an approval since its task made another call at the same moment: call it again to ask for one`;
  return {...refuse(decided, 'POLICY_DENIED', message, placeOf(result)), intended: true};
}

/** What the layers are asked about a call, with the task's evidence where a rule looks at it; explaining and listing ask the same. `before` leaves out what began later. */
export function toolQuestion(kernel: Kernel, call: NarrowedCall, before?: string): MaybePromise<PolicyQuestion> {
  const question = policyQuestion(kernel, call);
  const properties = evidenceDataOf(question.layers);
  if (properties === undefined) return question;
  return withEvidence(kernel, call, {question, properties, before});
}

interface EvidenceQuestion {
  readonly question: PolicyQuestion;
  readonly properties: readonly string[];
  readonly before: string | undefined;
}

async function withEvidence(
  kernel: Kernel,
  call: NarrowedCall,
  {question, properties, before}: EvidenceQuestion,
): Promise<PolicyQuestion> {
  const all = await readTaskEvidence(kernel, call.task.spec.id, properties);
  const own = all.findIndex(({receipt_id}) => receipt_id === before);
  const evidence = own === -1 ? all : all.slice(0, own);
  return {...question, request: {...question.request, context: {...question.request.context, evidence}}};
}

export function policyQuestion(
  kernel: Kernel,
  call: FoundCall,
  trigger: PolicyTrigger = 'on_tool_request',
): PolicyQuestion {
  const {tool, task, lane, run, request, execution_metadata} = call;
  return {
    layers: governingLayers(kernel, call),
    allowLoosening: kernel.workspace.allowLoosening,
    request: {
      permission: tool.declaration.permission,
      context: {
        trigger,
        run_id: run.run_id,
        tool_name: tool.name,
        task_id: task.spec.id,
        lane_id: lane.spec.id,
        pack_id: tool.pack.manifest.id,
        tool_arguments: request.input,
        ...(execution_metadata && {execution_metadata}),
      },
    },
  };
}

/** What the kernel does for a pack, the pack's own rules govern. */
export function governingLayers(kernel: Kernel, {tool, task, lane, request: {parent}}: FoundCall): PolicyLayers {
  const pack = parent !== undefined && isKernelTool(tool) ? parent.pack : tool.pack;
  return policyStack(kernel.workspace, lane, task, pack);
}

function denyByPolicy(call: DecidedCall, result: PolicyResult): Refusal {
  const {rule_id, reason} = result.deciding;
  const message = `policy denies \`${call.tool.name}\`: ${reason ?? `rule \`${rule_id}\``}`;
  return refuse(call, 'POLICY_DENIED', message, placeOf(result));
}

/** Which rule decided, and where it is written. */
function placeOf({deciding: {rule_id, layer, where}}: PolicyResult): Record<string, unknown> {
  return {rule_id, layer, ...(where !== undefined && {where})};
}

async function decideByApproval(
  kernel: Kernel,
  call: DecidedCall,
  result: PolicyResult,
): Promise<DecidedCall | Refusal> {
  const {answer, approval} = await askApproval(kernel, {
    subject: callSubject(call, kernel.policyDigests.of(governingLayers(kernel, call))),
    input_ref: call.input_ref,
    actor: call.run.by,
    rules: result.decisions.filter((decision) => decision.decision === 'approval_required'),
    self_approval: result.self_approval,
    inband: result.inband,
  });
  const {request_id} = approval;
  if (answer === 'approved') return {...call, approval_request_id: request_id};
  const details = {request_id, ...placeOf(result)};
  if (answer === 'pending') {
    return refuse(call, 'APPROVAL_REQUIRED', `\`${call.tool.name}\` waits for approval: request \`${request_id}\``, {
      ...details,
      expires_at: approval.expires_at,
    });
  }
  const reason = approval.reason === undefined ? '' : `: ${approval.reason}`;
  return refuse(call, 'POLICY_DENIED', `\`${approval.resolved_by ?? ''}\` rejected exactly this call${reason}`, {
    ...details,
    rejected_by: approval.resolved_by,
    rejected_at: approval.resolved_at,
  });
}
