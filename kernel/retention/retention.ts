// What events say of contents that must stay, and of those that a rule has deleted.
import type {EvidenceExpired, EvidenceHeld, HeldCalls, KernelEvent} from '@lumenflow/schemas';

/** A legal hold that is in force. */
export interface Hold {
  readonly hold_id: string;
  readonly covers: HeldCalls;
  readonly reason: string;
  /** The person who added it. */
  readonly by: string;
  readonly at: string;
}

export interface RetentionState {
  readonly holds: readonly Hold[];
  /** The newest deletion by a rule. */
  readonly expired?: Pick<EvidenceExpired, 'through_seq' | 'complete_seq'> | undefined;
}

export const noRetention: RetentionState = {holds: []};

export function evolveRetention(state: RetentionState, event: KernelEvent): RetentionState {
  if (event.type === 'evidence_held') return {...state, holds: [...state.holds, holdOf(event)]};
  if (event.type === 'evidence_hold_lifted') {
    return {...state, holds: state.holds.filter(({hold_id}) => hold_id !== event.hold_id)};
  }
  if (event.type !== 'evidence_expired') return state;
  const {through_seq, complete_seq} = event;
  return {...state, expired: {through_seq, complete_seq}};
}

function holdOf({hold_id, covers, reason, actor, timestamp}: EvidenceHeld): Hold {
  return {hold_id, covers, reason, by: actor, at: timestamp};
}
