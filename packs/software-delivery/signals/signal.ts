// A message between those who work at the same time, and the facts about it.
import type {DeliveryEvent} from '../events/delivery-event.ts';

export const signalKinds = ['info', 'question', 'warning', 'blocked', 'handoff'] as const;
export type SignalKind = (typeof signalKinds)[number];

export interface NewSignal {
  /** `sig-` and 32 hexadecimal digits. */
  readonly id: string;
  readonly kind: SignalKind;
  readonly message: string;
  /** Who sends it, by the name that others answer to. */
  readonly from: string;
  /** One reader; without it everybody. */
  readonly to?: string;
  readonly wu_id?: string;
  readonly lane?: string;
  /** The signal that it answers. */
  readonly reply_to?: string;
  /** ISO 8601, UTC: from then on no inbox shows it. */
  readonly expires_at?: string;
}

export interface Signal extends NewSignal {
  /** ISO 8601, UTC. */
  readonly sent_at: string;
}

export interface SignalSent extends DeliveryEvent {
  readonly type: 'signal_sent';
  readonly signal: NewSignal;
}

/** A reader's receipt. */
export interface SignalAcknowledged extends DeliveryEvent {
  readonly type: 'signal_acknowledged';
  readonly reader: string;
  readonly ids: readonly string[];
}

export interface SignalForgotten extends DeliveryEvent {
  readonly type: 'signal_forgotten';
  readonly ids: readonly string[];
}

export type SignalEvent = SignalSent | SignalAcknowledged | SignalForgotten;
