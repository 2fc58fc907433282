// Settings of the rendered files: from when on finished work units are shown.
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {Slice} from '../events/slice.ts';

export interface BacklogPruned extends DeliveryEvent {
  readonly type: 'backlog_pruned';
  /** ISO 8601, UTC: work that was done earlier is omitted. */
  readonly done_before: string;
}

export interface ViewState {
  readonly done_before?: string;
}

export const viewSlice: Slice<ViewState, BacklogPruned> = {
  name: 'views',
  version: 1,
  initial: {},
  evolve: (state, event) => (event.type === 'backlog_pruned' ? {done_before: event.done_before} : state),
};
