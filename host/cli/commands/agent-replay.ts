// `lumenflow agent replay`: decides each call of a session again under the current policy, without running it.
import {replayAgentSession, type ReplayedCall} from '../../agent/replay-agent-session.ts';
import {callLine} from '../agent/narrate-session.ts';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {renderTable} from '../rendering/render-table.ts';
import {paintOf} from '../rendering/style.ts';
import {withHost} from '../with-host.ts';

export const agentReplay: Command = async (context, [session_id = '']) =>
  await withHost(context, async ({runtime}) => {
    const calls = await replayAgentSession(runtime, session_id);
    if (calls.length === 0) {
      throw new CliError('SESSION_NOT_FOUND', `no recorded calls for session \`${session_id}\` are recorded`, {
        help: '`lumenflow agent list` lists the sessions',
      });
    }
    const {style} = context;
    return {
      data: {session_id, calls},
      text: () =>
        renderTable<ReplayedCall>(
          calls,
          [
            {title: 'TURN', cell: ({turn_index}) => String(turn_index + 1), align: 'right', paint: () => style.dim},
            {
              title: 'CALL',
              cell: ({tool_name, input}) => callLine({name: tool_name, input}, style.width),
              shrinksTo: 16,
            },
            {title: 'RECORDED', cell: ({recorded}) => recorded, paint: ({recorded}) => paintOf(style, recorded)},
            {title: 'TODAY', cell: ({today}) => today, paint: ({today}) => paintOf(style, today)},
            {title: 'BY', cell: ({rule_id}) => rule_id ?? '', shrinksTo: 8},
          ],
          style,
        ),
    };
  });
