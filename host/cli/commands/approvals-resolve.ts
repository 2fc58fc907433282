// `lumenflow approvals approve` and `reject`: a person's answer to one exact call, claim or completion.
import {actorOf} from '../actor.ts';
import type {Command} from '../command.ts';
import {askedFor} from './approvals-list.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly as?: string;
  readonly reason?: string;
}

export function approvalsResolve(verb: 'approve' | 'reject'): Command<Options> {
  return async (context, [request_id = ''], {as, reason}) => {
    const approved_by = actorOf(context, as);
    return await withHost(context, async ({runtime}) => {
      const result = await runtime.resolveApproval({
        request_id,
        approved: verb === 'approve',
        approved_by,
        ...(reason !== undefined && {reason}),
      });
      const help = result.success ? undefined : helpFor(result.error.code);
      return transitionOutcome(context, {
        result,
        key: 'approval',
        said: (approval) =>
          verb === 'approve'
            ? `${approved_by} approved ${askedFor(approval)}: exactly this may pass, once`
            : `${approved_by} rejected ${askedFor(approval)}`,
        ...(help !== undefined && {advice: {help}}),
      });
    });
  };
}

function helpFor(code: string): string | undefined {
  if (code === 'SELF_APPROVAL') return 'another person answers, and says who: --as NAME';
  return code === 'APPROVAL_NOT_FOUND' ? '`lumenflow approvals list` shows what waits' : undefined;
}
