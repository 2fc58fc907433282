// `lumenflow task block`: marks an active task as blocked.
import {actorOf} from '../actor.ts';
import type {Command} from '../command.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly as?: string;
  readonly reason: string;
}

export const taskBlock: Command<Options> = async (context, [task_id = ''], options) => {
  const by = actorOf(context, options.as);
  return await withHost(context, async ({runtime}) => {
    const result = await runtime.blockTask({task_id, by, reason: options.reason});
    return transitionOutcome(context, {result, key: 'task', said: () => `blocked task ${task_id}`});
  });
};
