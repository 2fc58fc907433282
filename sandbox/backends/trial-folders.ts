// Folders of the trials by which probes find out what a backend enforces.
import {tmpdir} from 'node:os';
import {makeOwnedFolder, reapOwnedFolders} from './leftover-folders.ts';

const kind = 'lumenflow-trial';

export async function makeTrialFolder(): Promise<string> {
  return await makeOwnedFolder(tmpdir(), kind);
}

/** Removes those of hosts that were killed. Never rejects. */
export async function reapTrialFolders(): Promise<void> {
  await reapOwnedFolders(tmpdir(), kind);
}
