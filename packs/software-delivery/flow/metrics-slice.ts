// Snapshots of metrics, for later comparison.
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {Slice} from '../events/slice.ts';
import type {Metric} from './metrics.ts';
import type {WorkUnitFilter} from './read-figures.ts';
import type {Window} from './window.ts';

export interface MetricsRecorded extends DeliveryEvent {
  readonly type: 'metrics_recorded';
  readonly of: WorkUnitFilter;
  readonly window: Window;
  readonly metrics: readonly Metric[];
}

export type MetricsSnapshot = Omit<MetricsRecorded, 'type'>;

const kept = 500;

/** Oldest first. Only the newest are kept. */
export const metricsSlice: Slice<MetricsSnapshot[], MetricsRecorded> = {
  name: 'metrics',
  version: 1,
  initial: [],
  evolve(state, event) {
    if (event.type !== 'metrics_recorded') return state;
    const {type: _, ...snapshot} = event;
    state.push(snapshot);
    if (state.length > kept) state.shift();
    return state;
  },
};

/** The latest snapshot of the same work units and number of days. */
export function lastLike(
  snapshots: readonly MetricsSnapshot[],
  {of, days}: {readonly of: WorkUnitFilter; readonly days: number},
): MetricsSnapshot | undefined {
  return snapshots.findLast(
    (snapshot) =>
      snapshot.window.days === days &&
      snapshot.of.lane === of.lane &&
      snapshot.of.type === of.type &&
      snapshot.of.initiative === of.initiative,
  );
}
