import {lstat} from 'node:fs/promises';
import {identity} from './entry.ts';
import type {JournalSeal} from './journal.ts';
import {openJournalKey} from './journal-key.ts';

/** Returns what signs and checks the journals of a workspace, by transaction id. */
export function createSeals(root: string, stateFolder: string): (id: string) => Promise<JournalSeal> {
  let key: Promise<Buffer> | undefined;
  return async (id) => {
    key ??= openJournalKey(stateFolder);
    try {
      return {key: await key, id, root: identity(await lstat(root, {bigint: true}))};
    } catch (error) {
      // The key may exist next time.
      key = undefined;
      throw error;
    }
  };
}
