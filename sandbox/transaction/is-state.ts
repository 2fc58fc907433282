// Whether what lies at a path is what a change set says of it. Permissions of symlinks mean nothing.
import type {EntryState} from '@lumenflow/schemas';
import {orAbsent} from '../files/or-absent.ts';
import {stateOf} from './describe-changes.ts';
import type {Entry} from './entry.ts';

export async function isState(state: EntryState | undefined, entry: Entry | undefined, path: string): Promise<boolean> {
  if (state === undefined || entry === undefined) return state === undefined && entry === undefined;
  const found = await orAbsent(stateOf(entry, path));
  if (found === undefined) return false;
  const {kind, mode, bytes, sha256, target} = found;
  const isSameMode = kind === 'symlink' || mode === state.mode;
  return (
    kind === state.kind && isSameMode && bytes === state.bytes && sha256 === state.sha256 && target === state.target
  );
}
