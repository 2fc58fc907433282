// What one domain makes of the log: a fold over its own events, kept as a snapshot so that few of them are read anew.
import type {DeliveryEvent} from './delivery-event.ts';

export interface Slice<State, Event extends DeliveryEvent = DeliveryEvent> {
  /** Names its snapshot; a segment of a state's name. */
  readonly name: string;
  /** Raised with every change of `initial` or `evolve`: a snapshot of another version is folded anew. */
  readonly version: number;
  /** JSON; each fold begins with a copy. */
  readonly initial: State;
  /**
   * The state after one event. It owns the state it is given and may change it in place, which keeps the fold of a long
   * log linear. Events of other domains reach it, too: it returns the state as it is.
   */
  evolve(state: State, event: Event): State;
}
