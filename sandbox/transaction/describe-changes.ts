// What a call has changed, as the value that is judged, shown and recorded.
import {createHash} from 'node:crypto';
import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import type {ChangeEntry, ChangeOp, EntryState} from '@lumenflow/schemas';
import type {Entry} from './entry.ts';
import type {Change} from './change.ts';

const ops: Readonly<Record<Change['kind'], ChangeOp>> = {
  created: 'create',
  modified: 'modify',
  deleted: 'delete',
  mode: 'chmod',
};

/** Rejects when a file cannot be read. */
export async function describeChanges(
  changes: readonly Change[],
  {root, view}: {readonly root: string; readonly view: string},
): Promise<readonly ChangeEntry[]> {
  const entries: ChangeEntry[] = [];
  for (const {path, kind, before, after, source = join(view, path), linkOf} of changes) {
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
  return {kind, mode, bytes: size, ...(size <= hashedMax && {sha256: await hashOf(path)})};
}

/** A file may be sparse, and is as long to read as it says. */
const hashedMax = 1024 * 1024 * 1024;
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const chunkBytes = 1024 * 1024;

/** SHA-256 of a regular file's content. */
async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(path, flags);
  try {
    const {size} = await handle.stat();
    const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(chunkBytes, size)));
    for (;;) {
      const {bytesRead} = await handle.read(chunk, 0, chunk.length);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(chunk.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}
