import type {ChangeEntry, EntryState} from '@lumenflow/schemas';

/** Changes to make without a handler. */
export interface GivenChanges {
  /** Creates, modifies, deletes or changes permissions. The state of each path must match its `before`. */
  readonly entries: readonly ChangeEntry[];
  /** The content of a file that is created or modified. */
  content(state: EntryState): Promise<string>;
}
