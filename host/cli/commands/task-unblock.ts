// `lumenflow task unblock`: resumes a blocked task.
import {actorOf} from '../actor.ts';
import type {Command} from '../command.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly as?: string;
}

export const taskUnblock: Command<Options> = async (context, [task_id = ''], options) => {
  const by = actorOf(context, options.as);
  return await withHost(context, async ({runtime}) => {
    const result = await runtime.unblockTask({task_id, by});
    return transitionOutcome(context, {result, key: 'task', said: () => `unblocked task ${task_id}`});
  });
};
