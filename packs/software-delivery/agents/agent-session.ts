// Agent sessions, and the issues that agents log: the facts and what they add up to.
import type {DeliveryEvent} from '../events/delivery-event.ts';

export interface NewAgentSession {
  /** `agent-` and 32 hexadecimal digits. */
  readonly id: string;
  /** The name that signals reach it by. */
  readonly agent: string;
  /** The runtime session of the agent. */
  readonly session_id: string;
  readonly wu_id?: string;
  readonly model?: string;
}

export interface AgentSession extends NewAgentSession {
  /** ISO 8601, UTC. */
  readonly started_at: string;
  readonly last_seen_at: string;
  readonly ended_at?: string;
  readonly outcome?: SessionOutcome;
  readonly summary?: string;
}

export type SessionOutcome = 'completed' | 'handed_over' | 'abandoned';

export const issueSeverities = ['blocker', 'major', 'minor', 'info'] as const;
export type IssueSeverity = (typeof issueSeverities)[number];

export interface NewAgentIssue {
  /** `issue-` and 32 hexadecimal digits. */
  readonly id: string;
  readonly category: string;
  readonly severity: IssueSeverity;
  readonly title: string;
  readonly description: string;
  readonly agent: string;
  readonly wu_id?: string;
  readonly resolution?: string;
  readonly files: readonly string[];
  readonly tags: readonly string[];
}

export interface AgentIssue extends NewAgentIssue {
  /** ISO 8601, UTC. */
  readonly logged_at: string;
}

export interface AgentSessionStarted extends DeliveryEvent {
  readonly type: 'agent_session_started';
  readonly session: NewAgentSession;
}

export interface AgentSessionSeen extends DeliveryEvent {
  readonly type: 'agent_session_seen';
  readonly id: string;
  readonly wu_id?: string;
}

export interface AgentSessionEnded extends DeliveryEvent {
  readonly type: 'agent_session_ended';
  readonly id: string;
  readonly outcome: SessionOutcome;
  readonly summary?: string;
}

export interface AgentIssueLogged extends DeliveryEvent {
  readonly type: 'agent_issue_logged';
  readonly issue: NewAgentIssue;
}

export type AgentEvent = AgentSessionStarted | AgentSessionSeen | AgentSessionEnded | AgentIssueLogged;
