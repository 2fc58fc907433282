// agent-session:list returns all sessions of the workspace in brief.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {listSessions} from '../sessions/session-log.ts';
import type {Session} from '../sessions/session.ts';

export interface SessionSummary extends Pick<Session, 'session_id' | 'status' | 'outcome' | 'turns'> {
  readonly task: string;
  readonly created_at: string;
}

export interface SessionListOutput {
  readonly sessions: readonly SessionSummary[];
}

export const sessionList: ToolDefinition<{readonly status?: Session['status']}, SessionListOutput> = defineTool({
  async run({status}, context) {
    const sessions = await listSessions(context);
    return {sessions: sessions.filter((session) => status === undefined || session.status === status).map(summarize)};
  },
});

function summarize({session_id, status, outcome, turns, brief, continuations}: Session): SessionSummary {
  const created_at = continuations[0]?.at ?? '';
  return {session_id, status, ...(outcome !== undefined && {outcome}), turns, task: brief.task, created_at};
}
