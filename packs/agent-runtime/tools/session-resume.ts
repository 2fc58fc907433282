// agent-session:resume continues a session with a person's message or, where needed, a decision.
import type {CallDecision, ContinuationReason, SessionView} from '@lumenflow/pack-sdk/agent-session';
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import {viewSession} from '../sessions/session-brief.ts';
import {requireSay} from '../sessions/require-say.ts';
import {changeSession, findSession} from '../sessions/session-log.ts';
import type {Session} from '../sessions/session.ts';

export interface ResumeInput {
  readonly session_id: string;
  readonly reason?: ContinuationReason;
  readonly message?: string;
  readonly decisions?: readonly CallDecision[];
}

export const sessionResume: ToolDefinition<ResumeInput, SessionView, PackConfig> = defineTool({
  async run({session_id, reason = 'resumed', ...more}, context) {
    requireSay(context, await findSession(context, session_id));
    const by = context.principal?.name ?? 'unknown';
    const session = await changeSession(context, session_id, (standing) => {
      checkResumable(standing);
      return {type: 'continued', at: new Date().toISOString(), reason, ...more, by};
    });
    return viewSession(session, context.config);
  },
});

function checkResumable(session: Session | undefined): void {
  if (session === undefined) return;
  const {session_id, status, outcome} = session;
  const isOver = status === 'cancelled' || (status === 'ended' && (outcome === 'complete' || outcome === 'limit'));
  if (!isOver) return;
  const how = status === 'cancelled' ? 'was cancelled' : outcome === 'limit' ? 'has used up a limit' : 'is complete';
  throw new ToolError('SESSION_OVER', `the session \`${session_id}\` ${how}: start another one`, {session_id, status});
}
