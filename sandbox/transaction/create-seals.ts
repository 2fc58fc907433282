import {lstat} from 'node:fs/promises';
import {identity} from './entry.ts';
import type {JournalSeal} from './journal.ts';
import {openJournalKey} from './journal-key.ts';

/** What journals of one workspace are signed with and checked against, by the id of their transaction. */
export function createSeals(root: string, stateFolder: string): (id: string) => Promise<JournalSeal> {
  let key: Promise<Buffer> | undefined;
  return async (id) => {
    key ??= openJournalKey(stateFolder);
    try {
      return {key: await key, id, root: identity(await lstat(root, {bigint: true}))};
    } catch (error) {
      // It may be there the next time.
      key = undefined;
      throw error;
    }
  };
}
