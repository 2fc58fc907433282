// The newest signals, and which reader has acknowledged which of them.
import type {Slice} from '../events/slice.ts';
import type {Signal, SignalEvent} from './signal.ts';

export interface SignalState {
  /** Oldest first. */
  signals: Signal[];
  /** Ids that a reader has acknowledged, by reader. */
  readonly receipts: Record<string, string[]>;
}

/** Limits memory: an agent that sends too much only pushes out the oldest signals. */
export const signalsKept = 10_000;
/** The surplus is dropped in batches of this size, which keeps the fold linear. */
const slack = 1_000;

export const signalSlice: Slice<SignalState, SignalEvent> = {
  name: 'signals',
  version: 1,
  initial: {signals: [], receipts: {}},
  evolve(state, event) {
    switch (event.type) {
      case 'signal_sent':
        state.signals.push({...event.signal, sent_at: event.at});
        if (state.signals.length >= signalsKept + slack) drop(state, state.signals.slice(0, -signalsKept));
        break;
      case 'signal_acknowledged':
        state.receipts[event.reader] = [...new Set([...(receiptsOf(state, event.reader) ?? []), ...event.ids])];
        break;
      case 'signal_forgotten': {
        const gone = new Set(event.ids);
        drop(
          state,
          state.signals.filter(({id}) => gone.has(id)),
        );
        break;
      }
      default:
        // Belongs to another domain.
        event satisfies never;
    }
    return state;
  },
};

/** A reader's name can be `constructor`. */
export function receiptsOf({receipts}: SignalState, reader: string): readonly string[] | undefined {
  return Object.hasOwn(receipts, reader) ? receipts[reader] : undefined;
}

function drop(state: SignalState, signals: readonly Signal[]): void {
  const gone = new Set(signals.map(({id}) => id));
  state.signals = state.signals.filter(({id}) => !gone.has(id));
  for (const [reader, ids] of Object.entries(state.receipts)) {
    const kept = ids.filter((id) => !gone.has(id));
    if (kept.length === 0) delete state.receipts[reader];
    else state.receipts[reader] = kept;
  }
}
