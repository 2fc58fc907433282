// The facts about one entry in a tree: enough to identify it, and to detect whether it has changed.
import {lstatSync, readlinkSync, type BigIntStats} from 'node:fs';
import type {EntryKind} from '@lumenflow/schemas';

export interface Entry {
  readonly kind: EntryKind;
  /** In words, the kind of anything that is not a file, directory or symlink. */
  readonly special?: string;
  /** Whether it looks like the mark of an overlay for a deletion. */
  readonly isWhiteout?: boolean;
  /** Permissions with setuid, setgid and sticky. */
  readonly mode: number;
  readonly size: number;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly birthtimeNs: bigint;
  readonly uid: number;
  readonly gid: number;
  readonly links: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** A symlink's text. */
  readonly link?: string;
}

/** Follows no symlink at the end of the path; undefined when there is nothing. */
export function lookAtOnce(path: string): Entry | undefined {
  try {
    const stat = lstatSync(path, {bigint: true, throwIfNoEntry: false});
    return stat && entryOf(stat, stat.isSymbolicLink() ? readlinkSync(path) : undefined);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** `link`: a symlink's text. */
export function entryOf(stat: BigIntStats, link: string | undefined): Entry {
  const special = specialKind(stat);
  return {
    kind: kindOf(stat),
    ...(special !== undefined && {special}),
    ...(stat.isCharacterDevice() && stat.rdev === 0n && {isWhiteout: true}),
    mode: Number(stat.mode) & 0o7777,
    size: Number(stat.size),
    dev: stat.dev,
    ino: stat.ino,
    birthtimeNs: stat.birthtimeNs,
    uid: Number(stat.uid),
    gid: Number(stat.gid),
    links: Number(stat.nlink),
    mtimeNs: stat.mtimeNs,
    ctimeNs: stat.ctimeNs,
    ...(link !== undefined && {link}),
  };
}

function kindOf(stat: BigIntStats): EntryKind {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'directory';
  return stat.isSymbolicLink() ? 'symlink' : 'other';
}

function specialKind(stat: BigIntStats): string | undefined {
  if (stat.isFIFO()) return 'a FIFO';
  if (stat.isSocket()) return 'a socket';
  return stat.isCharacterDevice() || stat.isBlockDevice() ? 'a device' : undefined;
}

/**
 * Inode numbers are reused at once, so the creation time counts too. The device is left out: its number may change when the
 * machine restarts, and nothing is moved between devices.
 */
export function identity({ino, birthtimeNs}: Pick<Entry, 'ino' | 'birthtimeNs'>): string {
  return `${ino}:${birthtimeNs}`;
}
