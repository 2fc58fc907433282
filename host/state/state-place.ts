// The paths of a pack's own state: one folder for each pack, outside of every tool's scopes, with one file for each name.
import {checkStateName} from '@lumenflow/pack-sdk/wire';
import type {PackManifest} from '@lumenflow/schemas';

/** Names of the directories below the workspace root. */
export function stateSegments({id, state_folder}: Pick<PackManifest, 'id' | 'state_folder'>): readonly string[] {
  return state_folder === undefined ? ['.lumenflow', 'packs', id] : [state_folder];
}

/** The names of the directories and of the file, below the pack's folder. Throws ToolError INVALID_STATE_NAME. */
export function placeOfState(name: string): {readonly folders: readonly string[]; readonly file: string} {
  checkStateName(name);
  const names = name.split('/');
  return {folders: names.slice(0, -1), file: names.at(-1) ?? name};
}
