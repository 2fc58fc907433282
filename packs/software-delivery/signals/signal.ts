// A message between concurrent agents, and its events.
import type {DeliveryEvent} from '../events/delivery-event.ts';

export const signalKinds = ['info', 'question', 'warning', 'blocked', 'handoff'] as const;
export type SignalKind = (typeof signalKinds)[number];

export interface NewSignal {
  /** `sig-` and 32 hexadecimal digits. */
  readonly id: string;
  readonly kind: SignalKind;
  readonly message: string;
  /** The sender's name. */
  readonly from: string;
  /** One reader; if omitted, everyone. */
  readonly to?: string;
  readonly wu_id?: string;
  readonly lane?: string;
  /** The signal that it replies to. */
  readonly reply_to?: string;
  /** ISO 8601, UTC: hidden from inboxes after this time. */
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

/** A reader's acknowledgement. */
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
