// Applies what was found in a view: all of it, or nothing where somebody else has changed what it builds on.
import {applyChanges} from './apply-changes.ts';
import type {Change} from './change.ts';
import {ChangedMeanwhile} from './changed-meanwhile.ts';
import {changedSince, findConflicts, type NamesAtStart} from './find-conflicts.ts';
import {findOpenFiles} from './find-open-files.ts';
import type {JournalSeal} from './journal.ts';
import type {KeptTimes} from './kept-times.ts';
import {isWritten} from './judge-changes.ts';
import {stageChanges} from './stage-changes.ts';

export interface ApplyToWorkspaceInput {
  readonly root: string;
  /** What leads to the files as the call has them. */
  readonly view: string;
  /** The transaction's own. */
  readonly folder: string;
  readonly startNs: bigint;
  readonly namesAtStart: NamesAtStart;
  seal(): Promise<JournalSeal>;
  /** SHA-256 of what files of the view contain, by path: with them whole trees can move. */
  readonly hashes?: ReadonlyMap<string, string>;
  readonly times?: KeptTimes;
}

/** Gives the files created and modified. */
export async function applyToWorkspace(
  changes: readonly Change[],
  input: ApplyToWorkspaceInput,
): Promise<readonly string[] | {readonly conflicts: readonly string[]}> {
  const {root, view, folder, hashes, times} = input;
  const open = await findOpenFiles(root, changes);
  const conflicts = [
    ...findConflicts(changes, input),
    ...(await changedSince(root, changes)),
    ...open.map(({path}) => path),
  ];
  if (conflicts.length > 0) return {conflicts};
  const {steps, sources, trees} = await stageChanges({changes, root, view, folder, ...(hashes && {hashes})});
  try {
    await applyChanges({root, folder, seal: await input.seal(), steps, changes, sources, trees, ...(times && {times})});
    return changes.filter(isWritten).map(({path}) => path);
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return {conflicts: [error.path]};
    throw error;
  }
}
