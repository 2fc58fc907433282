// `lumenflow task release`: releases a task for another claim.
import {actorOf} from '../actor.ts';
import type {Command} from '../command.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly as?: string;
  readonly reason: string;
}

export const taskRelease: Command<Options> = async (context, [task_id = ''], options) => {
  const by = actorOf(context, options.as);
  return await withHost(context, async ({runtime}) => {
    const result = await runtime.releaseTask({task_id, by, reason: options.reason});
    return transitionOutcome(context, {result, key: 'task', said: () => `released task ${task_id}`});
  });
};
