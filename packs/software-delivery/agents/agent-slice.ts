// Active agents, recently ended ones, and logged issues. Only the newest ended sessions are kept.
import type {Slice} from '../events/slice.ts';
import type {AgentEvent, AgentIssue, AgentSession} from './agent-session.ts';

export interface AgentState {
  /** By id, in order of start. */
  sessions: Record<string, AgentSession>;
  /** Oldest first. */
  issues: AgentIssue[];
}

const endedKept = 1_000;
const issuesKept = 10_000;
/** The surplus is dropped in batches of this size, which keeps the fold linear. */
const slack = 500;

export const agentSlice: Slice<AgentState, AgentEvent> = {
  name: 'agents',
  version: 1,
  initial: {sessions: {}, issues: []},
  evolve(state, event) {
    switch (event.type) {
      case 'agent_session_started':
        state.sessions[event.session.id] = {...event.session, started_at: event.at, last_seen_at: event.at};
        break;
      case 'agent_session_seen':
        change(state, event.id, {last_seen_at: event.at, ...(event.wu_id !== undefined && {wu_id: event.wu_id})});
        break;
      case 'agent_session_ended': {
        const {at, id, outcome, summary} = event;
        change(state, id, {last_seen_at: at, ended_at: at, outcome, ...(summary !== undefined && {summary})});
        dropEnded(state);
        break;
      }
      case 'agent_issue_logged':
        state.issues.push({...event.issue, logged_at: event.at});
        if (state.issues.length >= issuesKept + slack) state.issues = state.issues.slice(-issuesKept);
        break;
      default:
        // Belongs to another domain.
        event satisfies never;
    }
    return state;
  },
};

function change({sessions}: AgentState, id: string, changes: Partial<AgentSession>): void {
  const session = sessions[id];
  if (session !== undefined) sessions[id] = {...session, ...changes};
}

function dropEnded(state: AgentState): void {
  const entries = Object.entries(state.sessions);
  if (entries.length < endedKept + slack) return;
  const ended = entries.filter(([, {ended_at: at}]) => at !== undefined).map(([id]) => id);
  const gone = new Set(ended.slice(0, -endedKept));
  state.sessions = Object.fromEntries(entries.filter(([id]) => !gone.has(id)));
}
