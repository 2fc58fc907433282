// What one domain derives from the log: a fold over its events, with a snapshot that limits how many are replayed.
import type {DeliveryEvent} from './delivery-event.ts';

export interface Slice<State, Event extends DeliveryEvent = DeliveryEvent> {
  /** Name of its snapshot; a segment of a state's name. */
  readonly name: string;
  /** Raised with every change of `initial` or `evolve`. A snapshot of another version is rebuilt. */
  readonly version: number;
  /** JSON. Each fold starts with a copy. */
  readonly initial: State;
  /**
   * Returns the state after one event. It may change the given state in place, which keeps the fold of a long log linear. It also
   * receives events of other domains, and returns the state unchanged for those.
   */
  evolve(state: State, event: Event): State;
}
