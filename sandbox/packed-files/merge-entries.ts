// Writes received entries into a tree that programs use at the same time: no symlink that they could have created is followed.
import {join} from 'node:path';
import type {Change} from '../transaction/change.ts';
import {lookAtOnce, type Entry} from '../transaction/entry.ts';
import {mergeChanges} from '../transaction/merge-changes.ts';
import type {ReceivedEntry} from './entry-receiver.ts';

export interface MergeTarget {
  /** Absolute path of the tree inside. */
  readonly root: string;
  /** Where this process finds it. */
  readonly door: string;
}

/** Rejects midway if an entry cannot be written. */
export async function mergeEntries(received: readonly ReceivedEntry[], {root, door}: MergeTarget): Promise<void> {
  const changes = received.flatMap((each) => changeOf(each, {root, door}) ?? []);
  await mergeChanges({changes: parentsFirst(changes), root, from: '', to: door});
}

/** Deletions are made in the opposite order. */
function parentsFirst(changes: readonly Change[]): readonly Change[] {
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function changeOf({entry, at}: ReceivedEntry, {root, door}: MergeTarget): Change | undefined {
  const path = entry.path.slice(root === '/' ? 1 : root.length + 1);
  const before = lookAtOnce(join(door, path));
  if (entry.kind === 'gone') return before && {path, kind: 'deleted', before};
  const after = entryAfter(entry, before);
  if (before?.kind === 'directory' && after.kind === 'directory') {
    return before.mode === after.mode ? undefined : {path, kind: 'mode', before, after};
  }
  return {path, kind: before === undefined ? 'created' : 'modified', ...(before && {before}), after, source: at};
}

/** The owner of an existing file stays its owner. */
function entryAfter({kind, mode, size, mtime_ns, link}: ReceivedEntry['entry'], before: Entry | undefined): Entry {
  return {
    kind: kind === 'gone' ? 'other' : kind,
    mode,
    size,
    dev: 0n,
    ino: 0n,
    birthtimeNs: 0n,
    uid: before?.uid ?? process.geteuid?.() ?? 0,
    gid: before?.gid ?? process.getegid?.() ?? 0,
    links: 1,
    mtimeNs: BigInt(mtime_ns),
    ctimeNs: 0n,
    ...(link !== undefined && {link}),
  };
}
