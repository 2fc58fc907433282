// What a call has changed, as the value that is judged, shown and recorded.
import {join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import type {ChangeEntry, ChangeOp, EntryState} from '@lumenflow/schemas';
import type {Entry} from './entry.ts';
import type {Change} from './change.ts';
import {hashFile} from './hash-file.ts';

const ops: Readonly<Record<Change['kind'], ChangeOp>> = {
  created: 'create',
  modified: 'modify',
  deleted: 'delete',
  mode: 'chmod',
};

const filesPerTurn = 64;

/** Rejects when a file cannot be read. */
export async function describeChanges(
  changes: readonly Change[],
  {root, view}: {readonly root: string; readonly view: string},
): Promise<readonly ChangeEntry[]> {
  const entries: ChangeEntry[] = [];
  for (const {path, kind, before, after, source = join(view, path), linkOf} of changes) {
    if (entries.length % filesPerTurn === 0) await turn();
    entries.push({
      path,
      op: linkOf === undefined ? ops[kind] : 'link',
      ...(linkOf !== undefined && {from: linkOf.path}),
      ...(before && {before: await stateOf(before, join(root, path))}),
      ...(after && {after: await stateOf(after, source)}),
    });
  }
  return entries;
}

export async function stateOf({kind, mode, size, link}: Entry, path: string): Promise<EntryState> {
  if (kind === 'symlink') return {kind, mode, target: link ?? ''};
  if (kind !== 'file') return {kind, mode};
  return {kind, mode, bytes: size, ...(size <= hashedMax && {sha256: await hashFile(path)})};
}

/** A file may be sparse, and is as long to read as it says. */
const hashedMax = 1024 * 1024 * 1024;
