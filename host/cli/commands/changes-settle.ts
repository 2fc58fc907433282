// `lumenflow changes apply` and `discard`: a person settles changes that were kept.
import {settleChanges} from '../../changes/settle-changes.ts';
import type {Command} from '../command.ts';
import {findReceipt} from '../lookup/find-receipt.ts';
import {decidingPerson} from '../sign-in/acting-person.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly as?: string;
  readonly reason?: string;
}

export function changesSettle(verb: 'apply' | 'discard'): Command<Options> {
  return async (context, [receiptId = ''], {as, reason}) => {
    return await withHost(context, async (host) => {
      const {runtime} = host;
      const acting = await decidingPerson(context, host, as);
      const {receipt_id} = await findReceipt(runtime, receiptId);
      const command = {receipt_id, intent: verb, ...acting, ...(reason !== undefined && {reason})};
      return transitionOutcome(context, {
        result: await settleChanges(runtime, command),
        key: 'changes',
        said: ({state}) => `the changes of ${receipt_id} are ${state}`,
      });
    });
  };
}
