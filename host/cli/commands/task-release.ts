// `lumenflow task release`: releases a task for another claim.
import type {Command} from '../command.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly as?: string;
  readonly reason: string;
}

export const taskRelease: Command<Options> = async (context, [task_id = ''], options) => {
  return await withHost(context, async (host) => {
    const {by, person} = await actingPerson(context, host, options.as);
    const result = await host.runtime.releaseTask({task_id, by, person, reason: options.reason});
    return transitionOutcome(context, {result, key: 'task', said: () => `released task ${task_id}`});
  });
};
