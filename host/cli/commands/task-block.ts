// `lumenflow task block`: marks an active task as blocked.
import type {Command} from '../command.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly as?: string;
  readonly reason: string;
}

export const taskBlock: Command<Options> = async (context, [task_id = ''], options) => {
  return await withHost(context, async (host) => {
    const {by, person} = await actingPerson(context, host, options.as);
    const result = await host.runtime.blockTask({task_id, by, person, reason: options.reason});
    return transitionOutcome(context, {result, key: 'task', said: () => `blocked task ${task_id}`});
  });
};
