// Changes that wait for a person: staged, on disk, in a folder that appears whole.
import {mkdir, open, readdir, rename} from 'node:fs/promises';
import {join} from 'node:path';
import type {Change} from './change.ts';
import {parkedCallFolder} from './parked-call-folder.ts';
import type {KeptTimes} from './kept-times.ts';
import {writeParkedTimes} from './parked-times.ts';
import {stageChanges} from './stage-changes.ts';

export interface ParkInput {
  /** The workspace. */
  readonly root: string;
  readonly view: string;
  readonly changes: readonly Change[];
  readonly receiptId: string;
  readonly times?: KeptTimes;
}

export interface ParkFolders {
  /** Not there yet, on the file system of `all`. */
  readonly folder: string;
  /** Where changes wait. */
  readonly all: string;
}

/** Returns the folder that keeps them. */
export async function parkChanges(
  {root, view, changes, receiptId, times}: ParkInput,
  {folder, all}: ParkFolders,
): Promise<string> {
  const target = parkedCallFolder(all, receiptId);
  await mkdir(all, {recursive: true, mode: 0o700});
  await mkdir(folder, {mode: 0o700});
  await stageChanges({changes, root, view, folder, waits: true});
  if (times !== undefined) await writeParkedTimes(folder, root, times);
  await syncTree(join(folder, 'new'));
  await rename(folder, target);
  await sync(all);
  return target;
}

async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, {withFileTypes: true})) {
    if (!entry.isSymbolicLink()) await sync(join(folder, entry.name));
  }
  await sync(folder);
}

async function sync(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
