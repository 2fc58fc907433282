// `lumenflow task claim`: claims a ready task, which allows tool calls in it.
import {actorOf} from '../actor.ts';
import type {Command} from '../command.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly as?: string;
  readonly session?: string;
}

export const taskClaim: Command<Options> = async (context, [task_id = ''], options) => {
  const by = actorOf(context, options.as);
  // The same for each attempt, because an approval of the claim binds its session.
  const session_id = options.session ?? `cli-${by}`.slice(0, 128);
  return await withHost(context, async ({runtime}) => {
    const result = await runtime.claimTask({task_id, by, session_id});
    return transitionOutcome(context, {
      result,
      key: 'run',
      said: (run) => `${run.by} claimed task ${task_id}: lumenflow tools call TOOL --task ${task_id}`,
    });
  });
};
