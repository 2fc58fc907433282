// `lumenflow approvals withdraw`: withdraws a request on behalf of the requester.
import type {Command} from '../command.ts';
import {findApproval} from '../lookup/find-approval.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';
import {askedFor} from './approvals-list.ts';

interface Options {
  readonly as?: string;
  readonly reason?: string;
}

export const approvalsWithdraw: Command<Options> = async (context, [requestId = ''], {as, reason}) => {
  return await withHost(context, async (host) => {
    const {runtime} = host;
    const {by} = await actingPerson(context, host, as);
    const {request_id} = findApproval(runtime, requestId);
    const result = await runtime.withdrawApproval({request_id, by, ...(reason !== undefined && {reason})});
    const isAnothers = !result.success && result.error.code === 'APPROVAL_OF_ANOTHER';
    return transitionOutcome(context, {
      result,
      key: 'approval',
      said: (approval) => `${by} withdrew the request for ${askedFor(approval)}`,
      advice: isAnothers ? {help: 'give the name of the requester with `--as NAME`, or reject the request'} : undefined,
    });
  });
};
