// A folder for one call: its /tmp and home, and beside them, not accessible to the call, the text of its profile.
import {mkdir, realpath, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {makeOwnedFolder, reapOwnedFolders} from '../backends/leftover-folders.ts';

export interface CallFolder {
  readonly profilePath: string;
  readonly temporaryFolder: string;
  /** Overrides variables of the profile's environment. */
  readonly env: Readonly<Record<string, string>>;
  write(profileText: string): Promise<void>;
  remove(): Promise<void>;
}

const kind = 'lumenflow-call';

/** Removes the folders of calls whose host was killed. */
export async function reapCallFolders(temporaryRoot: string): Promise<void> {
  await reapOwnedFolders(temporaryRoot, kind);
}

export async function makeCallFolder(temporaryRoot: string): Promise<CallFolder> {
  // For this user only.
  const folder = await makeOwnedFolder(await realpath(temporaryRoot), kind);
  const temporaryFolder = join(folder, 'tmp');
  const home = join(temporaryFolder, 'home');
  const profilePath = join(folder, 'profile.sb');
  await mkdir(home, {recursive: true});
  return {
    profilePath,
    temporaryFolder,
    env: {TMPDIR: temporaryFolder, HOME: home},
    write: (profileText) => writeFile(profilePath, profileText),
    remove: () => rm(folder, {recursive: true, force: true, maxRetries: 3}),
  };
}
