// Whose word counts in a session: its starter's, an operator's, or that of a call which a person approved. An agent
// speaks only to sessions that it started itself, whatever its name: many agents of one person share that.
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {Session, Starter} from './session.ts';

/** Throws ToolError SESSION_OF_ANOTHER. */
export function requireSay(context: Caller, {session_id, started_by: starter}: Session): void {
  if (starter !== undefined && isStarter(context, starter)) return;
  if (speaksForPerson(context)) return;
  const name = starter?.name ?? 'unknown';
  const message = `the session \`${session_id}\` was started by \`${name}\`: only its starter, an operator, or a call that a person approved can act on it`;
  throw new ToolError('SESSION_OF_ANOTHER', message, {session_id, started_by: name});
}

type Caller = Pick<ToolContext, 'principal' | 'session_id'>;

function speaksForPerson({principal}: Caller): boolean {
  return principal?.is_operator === true || principal?.approval_request_id !== undefined;
}

function isStarter({principal, session_id}: Caller, starter: Starter): boolean {
  return principal?.surface === 'agent' ? starter.session_id === session_id : starter.name === principal?.name;
}
