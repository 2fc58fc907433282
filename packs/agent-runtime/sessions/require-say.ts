// Who may act on a session or workflow: its starter, an operator, or a call that a person approved. An agent may act only on what
// it started itself. Its name is not enough, because many agents of one person share it.
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {Session, Starter} from './session.ts';

/** Throws ToolError SESSION_OF_ANOTHER. */
export function requireSay(context: Caller, {session_id, started_by}: Session): void {
  if (hasSay(context, started_by)) return;
  const details = {session_id, started_by: started_by?.name ?? 'unknown'};
  throw new ToolError('SESSION_OF_ANOTHER', ofAnother(`session \`${session_id}\``, details), details);
}

interface StartedWorkflow {
  readonly workflow_id: string;
  readonly started_by?: Starter;
}

/** Throws ToolError WORKFLOW_OF_ANOTHER. */
export function requireSayInWorkflow(context: Caller, {workflow_id, started_by}: StartedWorkflow): void {
  if (hasSay(context, started_by)) return;
  const details = {workflow_id, started_by: started_by?.name ?? 'unknown'};
  throw new ToolError('WORKFLOW_OF_ANOTHER', ofAnother(`workflow \`${workflow_id}\``, details), details);
}

type Caller = Pick<ToolContext, 'principal' | 'session_id'>;

/** The starter of a session or workflow that this call starts. */
export function starterOf({principal, session_id}: Caller): Starter {
  return {name: principal?.name ?? 'unknown', session_id};
}

function hasSay(context: Caller, starter: Starter | undefined): boolean {
  return (starter !== undefined && isStarter(context, starter)) || speaksForPerson(context);
}

function ofAnother(what: string, {started_by}: {readonly started_by: string}): string {
  return `the ${what} was started by \`${started_by}\`: only its starter, an operator, or a call that a person approved can act on it`;
}

function speaksForPerson({principal}: Caller): boolean {
  return principal?.is_operator === true || principal?.approval_request_id !== undefined;
}

function isStarter({principal, session_id}: Caller, starter: Starter): boolean {
  return principal?.surface === 'agent' ? starter.session_id === session_id : starter.name === principal?.name;
}
