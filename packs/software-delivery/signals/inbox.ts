// The signals that one reader sees.
import type {Signal} from './signal.ts';
import {receiptsOf, type SignalState} from './signal-slice.ts';

export interface InboxQuery {
  readonly reader: string;
  /** ISO 8601, UTC. */
  readonly now: string;
  /** Signals about this WU or about no WU. */
  readonly wu_id?: string;
  /** Signals about this lane or about no lane. */
  readonly lane?: string;
  readonly from?: string;
  /** ISO 8601: sent at or after this time. */
  readonly since?: string;
  /** Include acknowledged signals. */
  readonly include_read?: boolean;
}

export interface InboxSignal extends Signal {
  readonly read: boolean;
}

/** Newest first. A reader's own signals are excluded. */
export function inboxOf(state: SignalState, query: InboxQuery): readonly InboxSignal[] {
  const {reader, now, include_read: includeRead = false} = query;
  const read = new Set(receiptsOf(state, reader));
  return state.signals
    .filter((signal) => concerns(signal, query) && signal.from !== reader)
    .filter(({expires_at: expires}) => expires === undefined || Date.parse(expires) > Date.parse(now))
    .map((signal) => ({...signal, read: read.has(signal.id)}))
    .filter((signal) => includeRead || !signal.read)
    .toReversed();
}

function concerns(signal: Signal, {reader, wu_id: wuId, lane, from, since}: InboxQuery): boolean {
  const about = (said: string | undefined, asked: string | undefined): boolean =>
    asked === undefined || said === undefined || said === asked;
  return (
    about(signal.to, reader) &&
    about(signal.wu_id, wuId) &&
    about(signal.lane, lane) &&
    (from === undefined || signal.from === from) &&
    (since === undefined || Date.parse(signal.sent_at) >= Date.parse(since))
  );
}
