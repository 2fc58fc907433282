// Where a user's keys are, outside all workspaces: a repository, or a copy of one, must not contain a private key.
import {homedir} from 'node:os';
import {join} from 'node:path';
import {userStateFolderOf} from '../user-state-folder.ts';

export interface MachineFolders {
  /** Keys by which a host signs requests to workers. */
  readonly hostKeys: string;
  /** What a worker keeps: `keys/`, `trusted-hosts`, `newest-created`. */
  readonly worker: string;
}

export function machineFoldersOf(env: Readonly<Record<string, string | undefined>>): MachineFolders {
  const folder = userStateFolderOf(env, homedir());
  return {hostKeys: join(folder, 'host', 'keys'), worker: join(folder, 'worker')};
}
