// `lumenflow agent list`: lists the sessions of the workspace.
import {agentFailure} from '../agent/agent-failure.ts';
import {openCallSession} from '../call-commands/call-session.ts';
import type {Command} from '../command.ts';
import {renderTable} from '../rendering/render-table.ts';
import {renderTime} from '../rendering/render-time.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {withHost} from '../with-host.ts';

interface ListedSession {
  readonly session_id: string;
  readonly status: string;
  readonly outcome?: string;
  readonly turns: number;
  readonly task: string;
  readonly created_at: string;
}

export const agentList: Command = async (context) =>
  await withHost(context, async (host) => {
    const {by} = await actingPerson(context, host, undefined);
    const call = await openCallSession(host, {by, lane: undefined, task: undefined});
    const output = await host.runtime.executeTool('agent-session:list', {}, call.context);
    await call.end();
    if (!output.success)
      throw agentFailure(output.error ?? {code: 'TOOL_EXECUTION_FAILED', message: 'the tool returned no error'});
    const {sessions} = output.data as {readonly sessions: readonly ListedSession[]};
    const {style} = context;
    const now = Date.now();
    return {
      data: {sessions},
      text: () =>
        renderTable(
          sessions.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1)),
          [
            {title: 'WHEN', cell: ({created_at}) => renderTime(created_at, now), paint: () => style.dim},
            {title: 'SESSION', cell: ({session_id}) => session_id, paint: () => style.bold},
            {title: 'STATE', cell: ({status, outcome}) => outcome ?? status},
            {title: 'TURNS', cell: ({turns}) => String(turns), align: 'right'},
            {title: 'TASK', cell: ({task}) => task, shrinksTo: 10},
          ],
          style,
        ),
    };
  });
