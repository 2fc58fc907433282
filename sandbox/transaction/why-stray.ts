// Decides which symlinks a call may leave: those that stay in the workspace, and those to read-only system paths.
import {isWithin} from '../profile/host-paths.ts';
import {followWithin} from '../files/follow-within.ts';

export interface LinkTrees {
  /** The workspace. */
  readonly root: string;
  /** As the call saw it. */
  readonly view: string;
  /** Absolute: what the sandbox has read-only from outside of the workspace, at the same path. */
  readonly systemPaths: readonly string[];
}

/** Why a link may not be made, after its path; undefined when it may. `text`: its own. */
export async function whyStray(
  path: string,
  text: string,
  {root, view, systemPaths}: LinkTrees,
): Promise<string | undefined> {
  const unfixed = nameBeforeUp(text);
  if (unfixed !== undefined) {
    return `is a symlink whose target \`${text}\` has \`..\` after \`${unfixed}\`, which could itself become a symlink: omit both`;
  }
  const destination = await followWithin({root, door: view}, path);
  // A circular link has no target.
  if (destination.kind !== 'outside') return undefined;
  const {hop, text: hopText, path: outside} = destination;
  if (outside !== undefined && systemPaths.some((system) => isWithin(outside, system))) return undefined;
  return hop === path
    ? `is a symlink that leaves the workspace: it points to \`${hopText}\``
    : `is a symlink that leaves the workspace through \`${hop}\`, which points to \`${hopText}\``;
}

/** `..` removes the name before it, which is known only as long as that name is not a symlink. */
function nameBeforeUp(text: string): string | undefined {
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  const at = names.findIndex((name, index) => name === '..' && index > 0 && names[index - 1] !== '..');
  return at === -1 ? undefined : names[at - 1];
}
