// `lumenflow agent run`: runs a governed session at the terminal.
import {startAgentSession} from '../../agent/agent-sessions.ts';
import {approvalAsker} from '../agent/approval-asker.ts';
import {narrateSession} from '../agent/narrate-session.ts';
import {runOutcome} from '../agent/run-outcome.ts';
import {agentFailure, orAgentFailure} from '../agent/agent-failure.ts';
import type {Command} from '../command.ts';
import {agentAndPerson} from '../sign-in/acting-person.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly model?: string;
  readonly intent?: string;
  readonly lane?: string;
  readonly as: string;
}

export const agentRun: Command<Options> = async (context, [task = ''], {model, intent, lane, as}) => {
  const asked = {
    task,
    ...(model !== undefined && {model_profile: model}),
    ...(intent !== undefined && {intent}),
    ...(lane !== undefined && {lane_id: lane}),
  };
  return await withHost(
    context,
    async (host) => {
      const request = {...asked, ...(await agentAndPerson(context, host, as))};
      const askApproval = approvalAsker(context, host);
      const options = {signal: context.signal, onEvent: narrateSession(context), askApproval};
      if (!host.runtime.workspace.tools.has('agent-session:start'))
        throw agentFailure({code: 'TOOL_NOT_FOUND', message: 'no loaded pack provides agent sessions'});
      const run = await orAgentFailure(async () => await startAgentSession(host, request, options));
      return await runOutcome(context, host, run);
    },
    {warmSandboxes: true},
  );
};
