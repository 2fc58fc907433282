// `lumenflow approvals approve` and `reject`: a person's answer to one exact call, claim or completion.
import {missingText, type ApprovalRecord} from '@lumenflow/kernel';
import {answerApproval} from '../../changes/answer-approval.ts';
import type {Command} from '../command.ts';
import {findApproval} from '../lookup/find-approval.ts';
import {decidingPerson} from '../sign-in/acting-person.ts';
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
    return await withHost(context, async (host) => {
      const {runtime} = host;
      const {by: approved_by, person} = await decidingPerson(context, host, as);
      const {request_id} = findApproval(runtime, requestId);
      const result = await answerApproval(runtime, {
        request_id,
        approved: verb === 'approve',
        approved_by,
        person,
        ...(reason !== undefined && {reason}),
      });
      const isSelf = !result.success && result.error.code === 'SELF_APPROVAL';
      return transitionOutcome(context, {
        result,
        key: 'approval',
        said: (approval) => `${approved_by} ${outcome[verb]} ${askedFor(approval)}${effectOf(approval, verb)}`,
        advice: isSelf ? {help: 'ask that person to run this command with --as NAME'} : undefined,
      });
    });
  };
}

/** The consequence of the answer. */
function effectOf({subject, state, missing}: ApprovalRecord, verb: keyof typeof outcome): string {
  if (state === 'pending') return `: ${missingText(missing ?? [])}`;
  if (subject.kind === 'program') return verb === 'approve' ? ': the run can be resumed' : '';
  if (subject.kind !== 'changes') return verb === 'approve' ? ': this exact call is allowed once' : '';
  return verb === 'approve' ? ': they are applied' : ': they are discarded';
}
