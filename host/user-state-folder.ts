import {isAbsolute, join} from 'node:path';

/** The folder for this user's data of all workspaces, by the XDG base directory specification. */
export function userStateFolderOf(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const named = env['XDG_STATE_HOME'];
  const base = named !== undefined && isAbsolute(named) ? named : join(home, '.local/state');
  return join(base, 'lumenflow');
}
