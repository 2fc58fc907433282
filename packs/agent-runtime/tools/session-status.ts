// agent-session:status returns a session's state and what the loop needs to continue it.
import type {SessionView} from '@lumenflow/pack-sdk/agent-session';
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import {viewSession} from '../sessions/session-brief.ts';
import {findSession} from '../sessions/session-log.ts';

export const sessionStatus: ToolDefinition<{readonly session_id: string}, SessionView, PackConfig> = defineTool({
  run: async ({session_id}, context) => viewSession(await findSession(context, session_id), context.config),
});
