// `lumenflow approvals approve` and `reject`: a person's answer to one exact call, claim or completion.
import type {ApprovalRecord} from '@lumenflow/kernel';
import {answerApproval} from '../../changes/answer-approval.ts';
import {actorOf} from '../actor.ts';
import type {Command} from '../command.ts';
import {findApproval} from '../lookup/find-approval.ts';
import {askedFor} from './approvals-list.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly as?: string;
  readonly reason?: string;
}

const outcome = {approve: 'approved', reject: 'rejected'} as const;

export function approvalsResolve(verb: 'approve' | 'reject'): Command<Options> {
  return async (context, [requestId = ''], {as, reason}) => {
    const approved_by = actorOf(context, as);
    return await withHost(context, async ({runtime}) => {
      const {request_id} = findApproval(runtime, requestId);
      const result = await answerApproval(runtime, {
        request_id,
        approved: verb === 'approve',
        approved_by,
        ...(reason !== undefined && {reason}),
      });
      const isSelf = !result.success && result.error.code === 'SELF_APPROVAL';
      return transitionOutcome(context, {
        result,
        key: 'approval',
        said: (approval) => `${approved_by} ${outcome[verb]} ${askedFor(approval)}${effectOf(approval, verb)}`,
        advice: isSelf ? {help: 'another person must answer: --as NAME'} : undefined,
      });
    });
  };
}

/** The consequence of the answer. */
function effectOf({subject}: ApprovalRecord, verb: keyof typeof outcome): string {
  if (subject.kind === 'program') return verb === 'approve' ? ': resume the run' : '';
  if (subject.kind !== 'changes') return verb === 'approve' ? ': this exact call is allowed once' : '';
  return verb === 'approve' ? ': they are applied' : ': they are discarded';
}
