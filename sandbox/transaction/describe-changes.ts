// The changes of a call, as the value that is judged, shown and recorded.
import {join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import type {ChangeEntry, ChangeOp, EntryState} from '@lumenflow/schemas';
import {identity, type Entry} from './entry.ts';
import type {Change} from './change.ts';
import {hashFile} from './hash-file.ts';

const ops: Readonly<Record<Change['kind'], ChangeOp>> = {
  created: 'create',
  modified: 'modify',
  deleted: 'delete',
  mode: 'chmod',
};

const filesPerTurn = 64;

export interface DescribedIn {
  readonly root: string;
  readonly view: string;
  /** Larger files are hashed only if the call wrote them; default 1 GiB. */
  readonly hashedMax?: number;
  /** Whether the changes will be discarded, so that larger files need no hash at all; default false. */
  readonly isDiscarded?: boolean;
}

/** Rejects when a file cannot be read. */
export async function describeChanges(
  changes: readonly Change[],
  {root, view, hashedMax = 1024 ** 3, isDiscarded = false}: DescribedIn,
): Promise<readonly ChangeEntry[]> {
  const entries: ChangeEntry[] = [];
  for (const {path, kind, before, after, source = join(view, path), linkOf} of changes) {
    if (entries.length % filesPerTurn === 0) await turn();
    entries.push({
      path,
      op: linkOf === undefined ? ops[kind] : 'link',
      ...(linkOf !== undefined && {from: linkOf.path}),
      ...(before && {before: await stateBefore(before, join(root, path), hashedMax)}),
      ...(after && {
        after: kind === 'mode' || isDiscarded ? await unbound(after, source, hashedMax) : await stateOf(after, source),
      }),
    });
  }
  return entries;
}

/**
 * For what the call did not write: a large file's identity replaces a hash of its content, since reading it could take minutes.
 */
async function stateBefore(entry: Entry, path: string, hashedMax: number): Promise<EntryState> {
  const {kind, mode, size} = entry;
  if (kind !== 'file' || size <= hashedMax) return await stateOf(entry, path);
  return {kind, mode, bytes: size, identity: contentIdentity(entry)};
}

/** For a file of which only the permissions changed, or which no approval can bind: it can be a hole of any size. */
async function unbound(entry: Entry, path: string, hashedMax: number): Promise<EntryState> {
  const {kind, mode, size} = entry;
  return kind === 'file' && size > hashedMax ? {kind, mode, bytes: size} : await stateOf(entry, path);
}

/** Files that a call wrote are hashed at any size: an approval binds their content, and the size of files is limited. */
async function stateOf({kind, mode, size, link}: Entry, path: string): Promise<EntryState> {
  if (kind === 'symlink') return {kind, mode, target: link ?? ''};
  if (kind !== 'file') return {kind, mode};
  return {kind, mode, bytes: size, sha256: await hashFile(path)};
}

/** Changes with every write to the file, and no program can set it. A change of its permissions or links changes it, too. */
export function contentIdentity(entry: Entry): string {
  return `${identity(entry)}:${entry.ctimeNs}`;
}
