// `lumenflow evidence hold lift`: ends a legal hold.
import type {Command} from '../command.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly reason: string;
  readonly as?: string;
}

export const evidenceHoldLift: Command<Options> = async (context, [holdId = ''], {reason, as}) => {
  return await withHost(context, async (host) => {
    const {by} = await actingPerson(context, host, as);
    const result = await host.runtime.evidence.liftHold({hold_id: holdId, by, reason});
    return transitionOutcome(context, {
      result,
      key: 'hold',
      said: ({hold_id}) => `the legal hold ${hold_id} is lifted`,
    });
  });
};
