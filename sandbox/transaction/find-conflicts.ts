// Finds concurrent changes by others to what a call is about to change. The file system's own clock decides: it marks every
// change of an entry, and no program can set that mark.
import {utimesSync} from 'node:fs';
import {basename, dirname} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import type {Change} from './change.ts';
import {lookAtOnce} from './entry.ts';
import {lookWithin} from './look-within.ts';

/** Whether a directory is known to have contained a name when the call started. */
export type NamesAtStart = (directory: string, name: string) => boolean;

/**
 * Returns a time of the file system's clock, in nanoseconds, after all changes made until now. A tick can last milliseconds, so
 * files changed just before and just after could have the same time. The clock must therefore advance between two times. Linux
 * 6.13 advances it for a change that follows a stat. `probe`: an entry of ours to touch.
 */
export async function nextTick(probe: string): Promise<bigint> {
  const mark = (): bigint => {
    utimesSync(probe, 0, 0);
    return lookAtOnce(probe)?.ctimeNs ?? 0n;
  };
  const first = mark();
  for (;;) {
    const now = mark();
    if (now > first) return now;
    await delay(1);
  }
}

/** Returns the paths that somebody else has changed or removed since. */
export function findConflicts(
  changes: readonly Change[],
  {startNs, namesAtStart}: {readonly startNs: bigint; readonly namesAtStart: NamesAtStart},
): readonly string[] {
  const conflicts = changes.flatMap((change) => {
    const {path, before, replaced} = change;
    if (replaced !== undefined) return [replaced];
    if (before === undefined) {
      return namesAtStart(dirname(path), basename(path)) ? [path] : [];
    }
    return before.ctimeNs >= startNs && !isOnlyBusy(change) ? [path] : [];
  });
  return [...new Set(conflicts)];
}

/** Paths that have changed since the changes were found. */
export function changedSince(root: string, changes: readonly Change[]): readonly string[] {
  const look = lookWithin(root);
  const changed: string[] = [];
  for (const change of changes) {
    const {path, before} = change;
    const now = look(path);
    const isSame = now?.ino === before?.ino && (now?.ctimeNs === before?.ctimeNs || isOnlyBusy(change));
    if (!isSame) changed.push(path);
  }
  return changed;
}

/** A directory is marked whenever a name appears or disappears in it; its permissions stay the same then. */
function isOnlyBusy({kind, before}: Change): boolean {
  return kind === 'mode' && before?.kind === 'directory';
}

/** Whether an entry is still the one that was inspected. Our own links and renames do not change these facts. */
export function isStill(path: string, {dev, ino, size, mtimeNs, mode, kind}: NonNullable<Change['before']>): boolean {
  const now = lookAtOnce(path);
  return (
    now !== undefined &&
    now.dev === dev &&
    now.ino === ino &&
    // A directory may have been unlocked to change its contents.
    (kind === 'directory' || now.mode === mode) &&
    (kind === 'directory' || (now.size === size && now.mtimeNs === mtimeNs))
  );
}
