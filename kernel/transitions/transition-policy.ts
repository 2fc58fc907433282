// Policy over a claim or a completion, with the task's evidence. A rule can require approval.
import type {ApprovalSubject, ObservedPolicy, PolicyDecision} from '@lumenflow/schemas';
import {consultApproval} from './consult-approval.ts';
import type {Kernel} from '../context/kernel.ts';
import {evaluatePolicy, type PolicyQuestion} from '../policy/index.ts';
import {requiresPasskey} from '../passkeys/refuse-unsigned.ts';
import {policyStack} from '../workspace/policy-stack.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import type {CompiledLane} from '../workspace/compiled-workspace.ts';
import type {CompiledTask} from '../tasks/compiled-tasks.ts';
import type {CheckedTransition} from '../workspace/declared-check.ts';
import {readTaskEvidence} from './task-evidence.ts';

export interface TransitionRequest {
  readonly kind: CheckedTransition;
  readonly task: CompiledTask;
  readonly lane: CompiledLane;
  readonly run_id: string;
  readonly session_id: string;
  readonly by: string;
}

export interface PermittedTransition {
  readonly decisions: readonly PolicyDecision[];
  /** The time that the rules saw. */
  readonly decided_at: string;
  readonly observed?: ObservedPolicy | undefined;
  /** To be used up together with the transition. */
  readonly approval_request_id?: string;
}

export async function permitTransition(
  kernel: Kernel,
  request: TransitionRequest,
): Promise<TransitionResult<PermittedTransition>> {
  const {kind, task} = request;
  const decided_at = kernel.ports.clock.timestamp();
  const question = await transitionQuestion(kernel, {...request, at: decided_at});
  const result = evaluatePolicy(question);
  const permitted = {decisions: result.decisions, decided_at, observed: result.observed};
  if (result.decision === 'allow') return succeed(permitted);
  const {rule_id, layer, reason, where} = result.deciding;
  const details = {rule_id, layer, ...(where !== undefined && {where}), policy_decisions: result.decisions};
  if (result.decision === 'deny') {
    return fail(
      'POLICY_DENIED',
      `policy denies the ${kind} of task \`${task.spec.id}\`: ${reason ?? `rule \`${rule_id}\``}`,
      details,
    );
  }
  const asked = await consultApproval(kernel, {
    subject: subjectOf(request, kernel.policyDigestCache.of(question.layers)),
    actor: request.by,
    asks: result,
  });
  if (asked.answer === 'not_asked') return fail(asked.code, asked.message, asked.details);
  const {answer, approval} = asked;
  const {request_id} = approval;
  if (answer === 'approved') return succeed({...permitted, approval_request_id: request_id});
  if (answer === 'pending') {
    return fail(
      'APPROVAL_REQUIRED',
      `the ${kind} of task \`${task.spec.id}\` waits for approval: request \`${request_id}\``,
      {
        ...details,
        request_id,
        ...(requiresPasskey(approval) && {passkey: true}),
      },
    );
  }
  const {resolved_by: rejected_by, resolved_at: rejected_at, reason: why} = approval;
  const because = why === undefined ? '' : `: ${why}`;
  return fail('POLICY_DENIED', `\`${rejected_by ?? ''}\` rejected the ${kind} of task \`${task.spec.id}\`${because}`, {
    ...details,
    request_id,
    rejected_by,
    rejected_at,
  });
}

/** Between the look at policy and the transition itself. */
export function approvalGone(requestId: string): TransitionResult<never> {
  return fail('POLICY_DENIED', `approval \`${requestId}\` was used or has expired: try again to send a new request`, {
    request_id: requestId,
  });
}

/** What the layers are asked about a transition; explaining asks the same. */
export async function transitionQuestion(
  kernel: Kernel,
  {kind, task, lane, run_id, by, at}: Omit<TransitionRequest, 'session_id'> & {readonly at: string},
): Promise<PolicyQuestion> {
  return {
    layers: policyStack(kernel.workspace, lane, task),
    allowLoosening: kernel.workspace.allowLoosening,
    request: {
      context: {
        trigger: kind === 'claim' ? 'on_claim' : 'on_completion',
        run_id,
        task_id: task.spec.id,
        lane_id: lane.spec.id,
        at,
        actor: by,
        evidence: await readTaskEvidence(kernel, task.spec.id),
      },
    },
  };
}

/** A claim's request precedes its run, so it binds the claimant. */
function subjectOf({kind, task, run_id, session_id, by}: TransitionRequest, policyDigest: string): ApprovalSubject {
  return {
    kind,
    task_id: task.spec.id,
    session_id,
    policy_digest: policyDigest,
    spec_hash: task.spec_hash,
    ...(kind === 'completion' ? {run_id} : {actor: by}),
  };
}
