// What `wu:done` merged for one work unit, read from the whole log, because the progress of finished work units is not kept.
import type {DoneEvent, DoneGated} from '../done/done-event.ts';
import type {Slice} from '../events/slice.ts';

export type MergedRange = Pick<DoneGated, 'onto' | 'commit'>;

/** Null if nothing was merged. */
export function mergedRange(id: string): Slice<MergedRange | null, DoneEvent> {
  return {
    name: 'merged-range',
    version: 1,
    initial: null,
    evolve(range, event) {
      if (event.type !== 'done_gated' || event.id !== id) return range;
      const {onto, commit} = event;
      return {onto, commit};
    },
  };
}
