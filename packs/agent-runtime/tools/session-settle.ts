// agent-session:settle records the state in which the loop left a session. Only a call in the session's own task may do so, so
// that no other session can claim an outcome.
import type {SessionView} from '@lumenflow/pack-sdk/agent-session';
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import {viewSession} from '../sessions/session-brief.ts';
import {changeSession, findSession} from '../sessions/session-log.ts';
import type {Settlement} from '../sessions/session.ts';

export const sessionSettle: ToolDefinition<Settlement & {readonly session_id: string}, SessionView, PackConfig> =
  defineTool({
    async run({session_id, ...settlement}, context) {
      if (context.task_id !== session_id) {
        const message = `a session can be settled only from its own task \`${session_id}\`: this call is in \`${context.task_id}\``;
        throw new ToolError('SESSION_OF_ANOTHER_TASK', message, {session_id});
      }
      const {status} = await findSession(context, session_id);
      if (status === 'cancelled') return viewSession(await findSession(context, session_id), context.config);
      const event = {type: 'settled', at: new Date().toISOString(), settlement} as const;
      return viewSession(await changeSession(context, session_id, () => event), context.config);
    },
  });
