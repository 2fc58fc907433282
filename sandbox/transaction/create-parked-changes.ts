// The parked change sets of a workspace, each in a folder named after the receipt of its call.
import {lstat, readdir, rmdir} from 'node:fs/promises';
import {dirname, relative} from 'node:path';
import type {ChangeSet} from '@lumenflow/schemas';
import {undefinedIfMissing} from '../files/undefined-if-missing.ts';
import {removeTree} from '../files/remove-tree.ts';
import type {Outcome} from '../outcome.ts';
import type {AppliedChanges} from './transaction.ts';
import {parkedCallFolder} from './parked-call-folder.ts';

/** By the receipt of the call that made them; the port of the kernel has the same shape. */
export interface ParkedChanges {
  has(receiptId: string): Promise<boolean>;
  list(): Promise<readonly string[]>;
  /** Once: a conflict leaves them parked. Rejects when what is kept is not this change set. */
  apply(receiptId: string, changes: ChangeSet): Promise<AppliedChanges>;
  discard(receiptId: string): Promise<void>;
}

export interface ParkedChangesInput {
  readonly root: string;
  /** Where the folders are. */
  readonly all: string;
  /** Applies the parked changes in a folder; see `applyParked`. */
  apply(kept: string, changes: ChangeSet): Promise<Outcome<readonly string[], readonly string[]>>;
}

export function createParkedChanges({root, all, apply}: ParkedChangesInput): ParkedChanges {
  const discard = async (receiptId: string): Promise<void> => {
    await removeTree(parkedCallFolder(all, receiptId));
    await rmdir(all).catch(unlessInUse);
    await rmdir(dirname(all)).catch(unlessInUse);
  };
  return {
    has: async (receiptId) => (await undefinedIfMissing(lstat(parkedCallFolder(all, receiptId)))) !== undefined,
    list: async () => (await undefinedIfMissing(readdir(all))) ?? [],
    async apply(receiptId, changes) {
      const kept = parkedCallFolder(all, receiptId);
      const applied = await apply(kept, changes);
      if (!applied.ok) return {state: 'conflict', conflicts: applied.problem, kept_in: relative(root, kept)};
      await discard(receiptId);
      return {state: 'applied', written: applied.value};
    },
    discard,
  };
}

/** Other parked changes are in the same folder, or it never existed. */
function unlessInUse(error: NodeJS.ErrnoException): void {
  if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code ?? '')) throw error;
}
