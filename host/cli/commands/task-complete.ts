// `lumenflow task complete`: completes a task if policy allows it.
import type {Command} from '../command.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly as?: string;
  readonly evidence?: readonly string[];
}

export const taskComplete: Command<Options> = async (context, [task_id = ''], {as, evidence}) => {
  return await withHost(context, async (host) => {
    const {runtime} = host;
    const {by, person} = await actingPerson(context, host, as);
    const found = await runtime.inspectTask(task_id);
    if (!found.success) return transitionOutcome(context, {result: found, key: 'task', said: () => ''});
    // The state of an unclaimed task prevents its completion, whatever the session.
    const session_id = found.data.run?.session_id ?? `cli-${by}`.slice(0, 128);
    const result = await runtime.completeTask({
      task_id,
      by,
      person,
      session_id,
      ...(evidence && {evidence_refs: evidence}),
    });
    return transitionOutcome(context, {result, key: 'task', said: () => `task ${task_id} is done`});
  });
};
