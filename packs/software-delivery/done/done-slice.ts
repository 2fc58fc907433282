// The log slice of work units between prepared and done, with the stage of each.
import type {Slice} from '../events/slice.ts';
import type {WuCompleted} from '../work-units/wu-event.ts';
import type {DoneEvent, DoneGated} from './done-event.ts';

export type DoneStage = 'validated' | 'gated' | 'merged' | 'recorded';

export interface DoneProgress {
  readonly stage: DoneStage;
  /** ISO 8601: when it reached this stage. */
  readonly since: string;
  /** Latest commit of the work unit's branch. */
  readonly head: string;
  /** Set from the stage `gated` on. */
  readonly gated?: Pick<DoneGated, 'onto' | 'commit' | 'tree_hash' | 'config_hash' | 'receipt_id'>;
}

/** By work unit. Removed once everything is done or rolled back. */
export type DoneByUnit = Record<string, DoneProgress>;

export const doneSlice: Slice<DoneByUnit, DoneEvent | WuCompleted> = {
  name: 'done',
  version: 1,
  initial: {},
  evolve(state, event) {
    const {id, at: since} = event;
    const progress = state[id];
    switch (event.type) {
      case 'done_validated':
        state[id] = {stage: 'validated', since, head: event.head};
        break;
      case 'done_gated': {
        const {head, onto, commit, tree_hash, config_hash, receipt_id} = event;
        state[id] = {stage: 'gated', since, head, gated: {onto, commit, tree_hash, config_hash, receipt_id}};
        break;
      }
      case 'done_merged':
        if (progress !== undefined) state[id] = {...progress, stage: 'merged', since};
        break;
      case 'wu_completed':
        if (progress !== undefined) state[id] = {...progress, stage: 'recorded', since};
        break;
      case 'done_cleaned':
      case 'done_rolled_back':
        delete state[id];
        break;
      default:
        // Belongs to another domain.
        event satisfies never;
    }
    return state;
  },
};
