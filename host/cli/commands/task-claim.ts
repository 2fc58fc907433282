// `lumenflow task claim`: claims a ready task, which allows tool calls in it.
import type {Command} from '../command.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly as?: string;
  readonly session?: string;
}

export const taskClaim: Command<Options> = async (context, [task_id = ''], options) => {
  return await withHost(context, async (host) => {
    const {by, person} = await actingPerson(context, host, options.as);
    // The same for each attempt, because an approval of the claim binds its session.
    const session_id = options.session ?? `cli-${by}`.slice(0, 128);
    const result = await host.runtime.claimTask({task_id, by, person, session_id});
    return transitionOutcome(context, {
      result,
      key: 'run',
      said: (run) => `${run.by} claimed task ${task_id}: lumenflow tools call TOOL --task ${task_id}`,
    });
  });
};
