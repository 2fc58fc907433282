import type {ChangeEntry, EntryState} from '@lumenflow/schemas';

/** What is to become of files, without a handler that makes it. */
export interface GivenChanges {
  /** Creates, modifies, deletes or changes permissions; each path must be as its `before` says. */
  readonly entries: readonly ChangeEntry[];
  /** Of a file that is created or modified. */
  content(state: EntryState): Promise<string>;
}
