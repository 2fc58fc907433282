// What a decision of approval_required leads to: an open request, a person's answer, or a new request.
import {
  answerOf,
  decideRequest,
  type ApprovalQuestion,
  type RequestAnswer,
  type TooManyOpen,
} from '../approvals/decide-request.ts';
import type {ApprovalRecord, StandingApproval} from '../approvals/approval-record.ts';
import {missingApprovals} from '../approvals/missing-approvals.ts';
import {ContentDeleted, KernelError} from '../errors.ts';
import {canonicalJson} from '../evidence/index.ts';
import type {Kernel} from '../context/kernel.ts';
import {periodMs} from '../notifications/period-ms.ts';
import {approvalTtlMs, pendingApprovalsMax} from '../limits.ts';
import type {PolicyResult} from '../policy/index.ts';
import {withdrawal} from './withdraw-approvals.ts';

export interface Consultation extends Omit<ApprovalQuestion, 'rules' | 'self_approval' | 'inband'> {
  /** The result that requires a person. */
  readonly asks: Pick<PolicyResult, 'decisions' | 'self_approval' | 'inband'>;
}

/** Why no request was made, and the remedy. */
export interface NotAsked {
  readonly answer: 'not_asked';
  readonly code: 'APPROVAL_LIMIT_REACHED' | 'POLICY_DENIED';
  readonly message: string;
  readonly details: Record<string, unknown>;
}

/** Finds the request for exactly this subject, or makes one, which is durable before this resolves. */
export async function consultApproval(
  kernel: Kernel,
  {asks, ...consultation}: Consultation,
): Promise<RequestAnswer | NotAsked> {
  const {ports, state, workspace, lifetimes} = kernel;
  const question: ApprovalQuestion = {
    ...consultation,
    rules: asks.decisions.filter(({decision}) => decision === 'approval_required'),
    self_approval: asks.self_approval,
    inband: asks.inband,
  };
  const {subject} = question;
  const binding = ports.digest.sha256(canonicalJson(subject));
  const standing = (): StandingApproval | undefined => {
    const found = state.approvalFor(binding);
    return found && lifetimes.approval(found);
  };
  const answer = (): RequestAnswer | undefined => answerOf(standing(), ports.clock.timestamp());
  const known = answer();
  if (known) return known;
  const unanswerable = tooFewApprovers(question);
  if (unanswerable) return unanswerable;
  const made = await ports.events.transact<'made' | 'known' | TooManyOpen>(() => {
    if (answer()) return {events: [], result: 'known'};
    const decided = decideRequest(state.openApprovals(subject.session_id).map(lifetimes.approval), question, {
      request_id: ports.ids.next('apr'),
      binding,
      timestamp: ports.clock.timestamp(),
      expires_at: ports.clock.timestamp(ttlMs(workspace)),
      pendingMax: workspace.spec.approvals?.max_pending_per_session ?? pendingApprovalsMax,
    });
    return decided.ok ? {events: decided.value, result: 'made'} : {events: [], result: decided.problem};
  });
  if (typeof made === 'object') return tooManyOpen(subject.session_id, made);
  const approval = state.approvalFor(binding);
  if (!approval) throw new KernelError('BROKEN_INVARIANT', `the request for ${binding} was appended but not folded`);
  if (made === 'made') await requireContents(kernel, approval);
  return answer() ?? {answer: 'pending', approval};
}

/** A rule of the workspace can have deleted what the request names before it was recorded. From then on, what it names stays. */
async function requireContents(
  kernel: Kernel,
  {request_id, input_ref, preview, subject}: ApprovalRecord,
): Promise<void> {
  const {contents, events} = kernel.ports;
  for (const ref of [input_ref, preview?.ref, subject.changes_ref]) {
    if (ref === undefined || (await contents.get(ref)) !== undefined) continue;
    const because = {actor: 'kernel.reconciliation', reason: 'what it shows was deleted before it was recorded'};
    await events.transact(() => ({events: [withdrawal(kernel, request_id, because)], result: undefined}));
    throw new ContentDeleted();
  }
}

function ttlMs({spec}: Kernel['workspace']): number {
  const {expires_after} = spec.approvals ?? {};
  return expires_after === undefined ? approvalTtlMs : periodMs(expires_after);
}

function tooManyOpen(sessionId: string, {max, open}: TooManyOpen): NotAsked {
  const named = open.map((id) => `\`${id}\``).join(', ');
  const message = `session \`${sessionId}\` already has ${max} requests waiting for an answer (${named}): get one answered, or withdraw one with \`lumenflow approvals withdraw\``;
  return {answer: 'not_asked', code: 'APPROVAL_LIMIT_REACHED', message, details: {max, open}};
}

/** The asker is never an approver. A request that too few others can answer would wait until it expires. */
function tooFewApprovers({rules, actor}: ApprovalQuestion): NotAsked | undefined {
  const missing = missingApprovals({rules, requested_by: actor}, []);
  const lacking = missing.find(({count, by}) => by !== undefined && by.length < count);
  if (lacking === undefined) return undefined;
  const {rule_id, count, by = []} = lacking;
  const others = by.length === 0 ? 'nobody else' : `only ${by.join(' and ')}`;
  const needed = count === 1 ? '1 approval' : `${count} approvals`;
  const message = `rule \`${rule_id}\` needs ${needed}, but ${others} may approve what \`${actor}\` asks for: name more approvers in the rule, or let another person ask`;
  return {answer: 'not_asked', code: 'POLICY_DENIED', message, details: {rule_id, approvers: by, count}};
}
