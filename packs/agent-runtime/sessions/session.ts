// A session as recorded in its journal: its task, what resumed it, and its state. Its messages and calls are in the evidence of
// its task and are not repeated here.
import type {
  CallDecision,
  ContinuationReason,
  SessionBrief,
  SessionOutcome,
  SessionView,
} from '@lumenflow/pack-sdk/agent-session';

/** Who started a session, and in which kernel session. */
export interface Starter {
  readonly name: string;
  readonly session_id: string;
}

export type SessionEvent =
  | {
      readonly type: 'created';
      readonly at: string;
      readonly reason: ContinuationReason;
      readonly brief: SessionBrief;
      readonly by?: Starter;
    }
  | {
      readonly type: 'continued';
      readonly at: string;
      readonly reason: ContinuationReason;
      readonly message?: string;
      readonly decisions?: readonly CallDecision[];
      /** Author of the message and decisions. */
      readonly by?: string;
    }
  | {readonly type: 'settled'; readonly at: string; readonly settlement: Settlement}
  | {readonly type: 'cancelled'; readonly at: string; readonly reason: string};

/** The state in which the loop left the session. */
export interface Settlement {
  readonly status: 'waiting' | 'ended';
  readonly outcome?: SessionOutcome;
  /** The model's last text, or the error. */
  readonly message?: string;
  /** Turns so far. */
  readonly turns: number;
  /** Requests for approval that the session waits for. */
  readonly approvals?: readonly string[];
}

export interface Session extends Omit<SessionView, 'messages' | 'intent_catalog'> {
  /** Absent in sessions of earlier versions. */
  readonly started_by?: Starter;
}

/** Undefined if there are no events. */
export function foldSession(session_id: string, events: readonly SessionEvent[]): Session | undefined {
  return events.reduce<Session | undefined>((session, event) => evolve(session_id, session, event), undefined);
}

function evolve(session_id: string, session: Session | undefined, event: SessionEvent): Session | undefined {
  if (event.type === 'created') {
    const {at, reason, brief, by} = event;
    const started = by && {started_by: by};
    return {
      session_id,
      status: 'ready',
      brief,
      turns: 0,
      said: [],
      decisions: [],
      continuations: [{at, reason}],
      ...started,
    };
  }
  if (session === undefined) return undefined;
  const {outcome: _outcome, message: _message, approvals: _approvals, ...standing} = session;
  if (event.type === 'settled') return {...standing, ...event.settlement};
  if (event.type === 'cancelled') return {...standing, status: 'cancelled', message: event.reason};
  const {at, reason, message, decisions = [], by} = event;
  const word = {after_turns: session.turns, content: message ?? '', ...(by !== undefined && {by})};
  return {
    ...standing,
    status: 'ready',
    said: message === undefined ? session.said : [...session.said, word],
    decisions: [...session.decisions, ...decisions],
    continuations: [...session.continuations, {at, reason}],
  };
}
