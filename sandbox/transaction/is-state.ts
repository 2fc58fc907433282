// Whether an entry matches its state in a change set. Permissions of symlinks are ignored.
import type {EntryState} from '@lumenflow/schemas';
import {undefinedIfMissing} from '../files/undefined-if-missing.ts';
import {contentIdentity} from './describe-changes.ts';
import type {Entry} from './entry.ts';
import {hashFile} from './hash-file.ts';

export async function isState(state: EntryState | undefined, entry: Entry | undefined, path: string): Promise<boolean> {
  if (state === undefined || entry === undefined) return state === undefined && entry === undefined;
  const {kind, mode, bytes, sha256, target} = state;
  if (kind !== entry.kind) return false;
  if (kind === 'symlink') return target === (entry.link ?? '');
  if (mode !== entry.mode) return false;
  if (kind !== 'file') return true;
  if (bytes !== entry.size) return false;
  if (state.identity !== undefined) return state.identity === contentIdentity(entry);
  return sha256 === undefined || (await undefinedIfMissing(hashFile(path))) === sha256;
}
