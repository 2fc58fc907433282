// `lumenflow agent resume`: resumes a session.
import {resumeAgentSession} from '../../agent/agent-sessions.ts';
import type {CallDecision} from '@lumenflow/schemas/agent-session';
import {approvalAsker} from '../agent/approval-asker.ts';
import {narrateSession} from '../agent/narrate-session.ts';
import {runOutcome} from '../agent/run-outcome.ts';
import {orAgentFailure} from '../agent/agent-failure.ts';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {agentAndPerson} from '../sign-in/acting-person.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly message?: string;
  readonly happened?: readonly string[];
  readonly didNotHappen?: readonly string[];
  readonly as: string;
  readonly operator?: boolean;
}

export const agentResume: Command<Options> = async (
  context,
  [session_id = ''],
  {message, happened, didNotHappen, as, operator = false},
) => {
  const decisions = [
    ...(happened ?? []).map((call) => decisionOf(call, true)),
    ...(didNotHappen ?? []).map((call) => decisionOf(call, false)),
  ];
  const asked = {
    is_operator: operator,
    session_id,
    ...(message !== undefined && {message}),
    ...(decisions.length > 0 && {decisions}),
  };
  return await withHost(
    context,
    async (host) => {
      const request = {...asked, ...(await agentAndPerson(context, host, as))};
      const askApproval = approvalAsker(context, host);
      const options = {signal: context.signal, onEvent: narrateSession(context), askApproval};
      const run = await orAgentFailure(() => resumeAgentSession(host, request, options));
      return await runOutcome(context, host, run);
    },
    {warmSandboxes: true},
  );
};

/** `2/call-2-0`: the index of a turn and the id of a call in it. */
function decisionOf(call: string, isDone: boolean): CallDecision {
  const [, turn, tool_call_id] = /^(\d+)\/(.+)$/u.exec(call) ?? [];
  if (turn !== undefined && tool_call_id !== undefined)
    return {turn_index: Number(turn), tool_call_id, happened: isDone};
  throw new CliError('INVALID_ARGUMENT', `\`${call}\` is not a call of the session`, {
    help: 'copy the turn and the call from the output of the session, for example 2/call-2-0',
    exitCode: exitCode.usage,
  });
}
