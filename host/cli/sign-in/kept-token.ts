// The token of the person who ran `lumenflow login`, for each workspace. It is outside all workspaces, where no tool of a call can
// read it, in a file of this user only.
import {hash} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {mkdir, rm, writeFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {dirname, join} from 'node:path';
import {realFolder} from '../../real-folder.ts';
import {userStateFolderOf} from '../../user-state-folder.ts';

export interface KeptToken {
  /** Undefined if nobody has signed in. */
  read(): string | undefined;
  write(token: string): Promise<void>;
  remove(): Promise<void>;
}

export function keptTokenOf(env: Readonly<Record<string, string | undefined>>, workspaceRoot: string): KeptToken {
  const name = hash('sha256', realFolder(workspaceRoot)).slice(0, 32);
  const path = join(userStateFolderOf(env, env['HOME'] ?? homedir()), 'sign-ins', name);
  return {
    read: () => (existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined),
    async write(token) {
      await mkdir(dirname(path), {recursive: true, mode: 0o700});
      // A file keeps its mode when it is written again.
      await rm(path, {force: true});
      await writeFile(path, `${token}\n`, {mode: 0o600, flag: 'wx'});
    },
    remove: () => rm(path, {force: true}),
  };
}
