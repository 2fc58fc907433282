// `lumenflow evidence hold add`: keeps the contents of calls from being deleted and redacted.
import type {HeldCalls} from '@lumenflow/schemas';
import type {Command} from '../command.ts';
import {parsePastTime} from '../parse-time.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly task?: string;
  readonly session?: string;
  readonly tool?: string;
  readonly lane?: string;
  readonly since?: string;
  readonly until?: string;
  readonly reason: string;
  readonly as?: string;
}

export const evidenceHoldAdd: Command<Options> = async (context, _args, {reason, as, ...options}) => {
  const covers = coversOf(options);
  return await withHost(context, async (host) => {
    const {by} = await actingPerson(context, host, as);
    const result = await host.runtime.evidence.hold({covers, by, reason});
    return transitionOutcome(context, {
      result,
      key: 'hold',
      said: ({hold_id}) => `the legal hold ${hold_id} is in force`,
    });
  });
};

function coversOf({task, session, tool, lane, since, until}: Omit<Options, 'reason' | 'as'>): HeldCalls {
  return {
    ...(task !== undefined && {task_id: task}),
    ...(session !== undefined && {session_id: session}),
    ...(tool !== undefined && {tool_name: tool}),
    ...(lane !== undefined && {lane_id: lane}),
    ...(since !== undefined && {since: parsePastTime(since, Date.now())}),
    ...(until !== undefined && {until: parsePastTime(until, Date.now())}),
  };
}
