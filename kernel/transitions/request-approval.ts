// Asks a person about a program, or about one of its steps. The answer binds what was shown, the run, the policy and the tools that
// it permits. An approval is used by the run when the run learns of it, so it does not expire while the program works.
import type {ApprovalSubject, PermittedTool} from '@lumenflow/schemas';
import type {ApprovalRecord} from '../approvals/approval-record.ts';
import {canonicalJson, tryCanonicalJson} from '../evidence/index.ts';
import type {Kernel} from '../context/kernel.ts';
import {storeAndAppend} from '../context/store-and-append.ts';
import {isInProgress} from '../tasks/is-in-progress.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import {policyStack} from '../workspace/policy-stack.ts';
import {checkIds} from './check-ids.ts';
import {loadTask} from './claim-task.ts';
import {consultApproval} from './consult-approval.ts';
import {consumeApproval} from './consume-approval.ts';

export interface ApprovalRequest {
  /** A task in progress, and the session that owns it. */
  readonly task_id: string;
  readonly session_id: string;
  readonly by: string;
  /** What the person sees, as JSON. */
  readonly shown: unknown;
  /** Calls of these tools need no further approval in this run. */
  readonly permitted_tools?: readonly PermittedTool[];
  /** Whether the person that asks may answer; default false. */
  readonly self_approval?: boolean;
}

export interface RequestedApproval {
  readonly answer: 'approved' | 'rejected' | 'pending';
  readonly approval: ApprovalRecord;
}

export async function requestApproval(
  kernel: Kernel,
  request: ApprovalRequest,
): Promise<TransitionResult<RequestedApproval>> {
  const {task_id, session_id, by, shown, self_approval = false} = request;
  const invalid = checkIds({task_id, session_id, by});
  if (invalid) return invalid;
  const loaded = await loadTask(kernel, task_id);
  if (!loaded.success) return loaded;
  const record = kernel.state.tasks.get(task_id);
  if (record?.run === undefined || !isInProgress(record) || record.run.session_id !== session_id) {
    return fail('TASK_NOT_ACTIVE', `task \`${task_id}\` is not active in session \`${session_id}\``, {task_id});
  }
  const text = tryCanonicalJson(shown);
  if (!text.ok) return fail('INVALID_INPUT', `\`shown\` is not JSON: ${text.problem.message}`);
  const {run_id} = record.run;
  return await storeAndAppend(async () => {
    const {hash, ref} = await kernel.ports.contents.put(text.value);
    const {permitted_tools} = request;
    const subject: ApprovalSubject = {
      kind: 'program',
      task_id,
      run_id,
      session_id,
      input_hash: hash,
      policy_digest: kernel.policyDigestCache.of(policyStack(kernel.workspace, loaded.data.lane, loaded.data.task)),
      ...(permitted_tools && {permitted_tools: [...permitted_tools]}),
    };
    return answered(kernel, subject) ?? (await ask(kernel, subject, {input_ref: ref, actor: by, self_approval}));
  });
}

/** A run keeps the answer that it has used, and a rejection. */
function answered({ports, state}: Kernel, subject: ApprovalSubject): TransitionResult<RequestedApproval> | undefined {
  const approval = state.approvalFor(ports.digest.sha256(canonicalJson(subject)));
  if (approval?.state === 'used') return succeed({answer: 'approved', approval});
  return approval?.state === 'rejected' ? succeed({answer: 'rejected', approval}) : undefined;
}

async function ask(
  kernel: Kernel,
  subject: ApprovalSubject,
  question: {readonly input_ref: string; readonly actor: string; readonly self_approval: boolean},
): Promise<TransitionResult<RequestedApproval>> {
  const {self_approval, ...asked} = question;
  const found = await consultApproval(kernel, {
    subject,
    ...asked,
    asks: {decisions: [], self_approval, inband: false},
  });
  if (found.answer === 'not_asked') return fail(found.code, found.message, found.details);
  if (found.answer !== 'approved') return succeed(found);
  const {request_id} = found.approval;
  await consumeApproval(kernel, request_id, subject.run_id ?? '', question.actor);
  return (
    answered(kernel, subject) ??
    fail('APPROVAL_EXPIRED', `approval \`${request_id}\` has expired: ask again`, {request_id})
  );
}
