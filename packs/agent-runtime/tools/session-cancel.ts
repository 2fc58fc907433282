// agent-session:cancel ends a session permanently. Its finished calls stay recorded.
import type {SessionView} from '@lumenflow/pack-sdk/agent-session';
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import {viewSession} from '../sessions/session-brief.ts';
import {requireSay} from '../sessions/require-say.ts';
import {changeSession, findSession} from '../sessions/session-log.ts';

export const sessionCancel: ToolDefinition<
  {readonly session_id: string; readonly reason?: string},
  SessionView,
  PackConfig
> = defineTool({
  async run({session_id, reason = 'no reason given'}, context) {
    const standing = await findSession(context, session_id);
    requireSay(context, standing);
    if (standing.status === 'cancelled') return viewSession(standing, context.config);
    const event = {type: 'cancelled', at: new Date().toISOString(), reason} as const;
    return viewSession(await changeSession(context, session_id, () => event), context.config);
  },
});
