// `lumenflow evidence redact`: permanently deletes the input and output of a call, after the actor and reason are recorded.
import type {Command} from '../command.ts';
import {findReceipt} from '../lookup/find-receipt.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly reason: string;
  readonly as?: string;
}

export const evidenceRedact: Command<Options> = async (context, [receiptId = ''], {reason, as}) => {
  return await withHost(context, async (host) => {
    const {runtime} = host;
    const {by} = await actingPerson(context, host, as);
    const {receipt_id} = await findReceipt(runtime, receiptId);
    const result = await runtime.evidence.redact({receipt_id}, {by, reason});
    return transitionOutcome(context, {
      result,
      key: 'redaction',
      said: ({hashes, refs}) =>
        refs.length === 0
          ? `the ${hashes.length} contents of ${receipt_id} were already deleted`
          : `the ${hashes.length} contents of ${receipt_id} are deleted, in ${refs.length} copies, for every call with the same content; the records remain`,
    });
  });
};
