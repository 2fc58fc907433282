// Replays a slice from the whole log, without its snapshot.
import type {Slice} from '../events/slice.ts';
import type {LoggedEvent} from './read-whole-log.ts';

type AnySlice = Slice<unknown, never>;

/** Up to an offset of the log; default all of it. */
export function foldSlice(slice: AnySlice, events: readonly LoggedEvent[], end: number = Infinity): unknown {
  let state = structuredClone(slice.initial);
  for (const logged of events) {
    if (logged.end > end) break;
    state = slice.evolve(state, logged.event as never);
  }
  return state;
}
