// Files whose content is unchanged although a call wrote to them or changed their time: git does so to the packs that it reads.
// They do not count as changes, so that concurrent calls do not conflict; only their time is kept.
import {join} from 'node:path';
import type {ChangeEntry} from '@lumenflow/schemas';
import type {Change} from './change.ts';
import type {Entry} from './entry.ts';
import {isStill} from './find-conflicts.ts';
import type {KeptTimes} from './kept-times.ts';

interface TouchedFile {
  readonly path: string;
  readonly before: Entry;
  /** In the view. */
  readonly mtimeNs: bigint;
}

export interface WithoutTouched {
  readonly changes: readonly Change[];
  readonly entries: readonly ChangeEntry[];
  readonly touched: readonly TouchedFile[];
}

/** `entries` describe the changes, in their order. */
export function withoutTouched(changes: readonly Change[], entries: readonly ChangeEntry[]): WithoutTouched {
  const touched = changes.flatMap((change, index) => touchedFile(change, entries[index]));
  if (touched.length === 0) return {changes, entries, touched};
  const paths = new Set(touched.map(({path}) => path));
  return {
    changes: changes.filter(({path}) => !paths.has(path)),
    entries: entries.filter(({path}) => !paths.has(path)),
    touched,
  };
}

/** Of those that are still as they were before the call. */
export function timesOfTouched(touched: readonly TouchedFile[], root: string): KeptTimes {
  const still = touched.filter(({path, before}) => isStill(join(root, path), before));
  return new Map(still.map(({path, mtimeNs}) => [path, mtimeNs]));
}

function touchedFile(
  {path, kind, before, after, replaced, isMade}: Change,
  entry: ChangeEntry | undefined,
): TouchedFile[] {
  const isFile = before?.kind === 'file' && after?.kind === 'file';
  if (kind !== 'modified' || !isFile || replaced !== undefined || !hasSameState(entry)) return [];
  // Put in place of one with several names, it is no longer that file.
  if (before.links > 1 && isMade === true) return [];
  const isSame = before.mode === after.mode && before.uid === after.uid && before.gid === after.gid;
  return isSame ? [{path, before, mtimeNs: after.mtimeNs}] : [];
}

function hasSameState(entry: ChangeEntry | undefined): boolean {
  const sha256 = entry?.before?.sha256;
  return sha256 !== undefined && sha256 === entry?.after?.sha256;
}
