// `lumenflow task unblock`: resumes a blocked task.
import type {Command} from '../command.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly as?: string;
}

export const taskUnblock: Command<Options> = async (context, [task_id = ''], options) => {
  return await withHost(context, async (host) => {
    const {by, person} = await actingPerson(context, host, options.as);
    const result = await host.runtime.unblockTask({task_id, by, person});
    return transitionOutcome(context, {result, key: 'task', said: () => `unblocked task ${task_id}`});
  });
};
