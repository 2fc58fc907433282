import {isAbsolute, join} from 'node:path';

/** Where this user's hosts keep what belongs to no workspace, by the XDG base directory specification. */
export function stateFolderOf(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const named = env['XDG_STATE_HOME'];
  const base = named !== undefined && isAbsolute(named) ? named : join(home, '.local/state');
  return join(base, 'lumenflow');
}
