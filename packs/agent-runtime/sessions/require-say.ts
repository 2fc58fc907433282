// Whose word counts in a session: its starter's, an operator's, or that of a call which a person approved. An agent
// speaks only to sessions that it started itself, whatever its name: many agents of one person share that.
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {Session} from './session.ts';

/** Throws ToolError SESSION_OF_ANOTHER. */
export function requireSay(
  {principal, session_id: calling}: Pick<ToolContext, 'principal' | 'session_id'>,
  {session_id, started_by: starter}: Session,
): void {
  if (principal?.is_operator === true || principal?.approval_request_id !== undefined) return;
  const isStarter =
    principal?.surface === 'agent' ? starter?.session_id === calling : starter?.name === principal?.name;
  if (starter !== undefined && isStarter) return;
  const message = `the session \`${session_id}\` was started by \`${starter?.name ?? 'unknown'}\`: only its starter, an operator, or a call that a person approved can act on it`;
  throw new ToolError('SESSION_OF_ANOTHER', message, {session_id, started_by: starter?.name ?? null});
}
