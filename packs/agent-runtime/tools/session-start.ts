// agent-session:start records an agent's task. The program that runs the loop continues from there.
import type {ContinuationReason, SessionBrief, SessionView} from '@lumenflow/pack-sdk/agent-session';
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import {checkBrief, viewSession} from '../sessions/session-brief.ts';
import {starterOf} from '../sessions/require-say.ts';
import {changeSession} from '../sessions/session-log.ts';

export interface StartInput extends SessionBrief {
  readonly session_id: string;
  readonly reason?: ContinuationReason;
}

export const sessionStart: ToolDefinition<StartInput, SessionView, PackConfig> = defineTool({
  async run({session_id, reason = 'created', ...brief}, context) {
    checkBrief(brief, context.config);
    const by = starterOf(context);
    const session = await changeSession(context, session_id, (standing) => {
      if (standing === undefined) return {type: 'created', at: new Date().toISOString(), reason, brief, by};
      throw new ToolError('SESSION_EXISTS', `the session \`${session_id}\` already exists`, {session_id});
    });
    return viewSession(session, context.config);
  },
});
