// Finds the calling agent among the active ones.
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {AgentSession} from './agent-session.ts';
import type {AgentState} from './agent-slice.ts';

/** The name of the calling session: its agent's name, or its own id if it has no agent. */
export function readerOf(state: AgentState, {session_id: sessionId}: Pick<ToolContext, 'session_id'>): string {
  return runningOf(state, sessionId)?.agent ?? sessionId;
}

/** The latest agent session of this runtime session that has not ended. */
export function runningOf({sessions}: AgentState, sessionId: string): AgentSession | undefined {
  return Object.values(sessions).findLast(
    ({session_id: speaker, ended_at: ended}) => speaker === sessionId && ended === undefined,
  );
}

/** By its id, or the caller's own. Throws ToolError SESSION_NOT_FOUND and SESSION_ENDED. */
export function runningSession(
  state: AgentState,
  {id, sessionId}: {readonly id: string | undefined; readonly sessionId: string},
): AgentSession {
  const session = id === undefined ? runningOf(state, sessionId) : state.sessions[id];
  if (session === undefined) {
    const which = id === undefined ? 'this session has no agent session' : `there is no agent session \`${id}\``;
    throw new ToolError('SESSION_NOT_FOUND', `${which}: start one with \`agent:session\``);
  }
  if (session.ended_at === undefined) return session;
  throw new ToolError('SESSION_ENDED', `the agent session \`${session.id}\` ended at ${session.ended_at}`, {
    id: session.id,
    ended_at: session.ended_at,
  });
}
