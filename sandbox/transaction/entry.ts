// What is known of one place in a tree: enough to tell whether it is still the same, and what it is.
import type {BigIntStats} from 'node:fs';
import {lstat, readlink} from 'node:fs/promises';
import type {EntryKind} from '@lumenflow/schemas';
import {orAbsent} from '../files/or-absent.ts';

export interface Entry {
  readonly kind: EntryKind;
  /** In words, of what is no file, directory or symlink. */
  readonly special?: string;
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
export async function lookAt(path: string): Promise<Entry | undefined> {
  const stat = await orAbsent(lstat(path, {bigint: true}));
  if (stat === undefined) return undefined;
  return entryOf(stat, stat.isSymbolicLink() ? await readlink(path) : undefined);
}

/** `link`: a symlink's text. */
export function entryOf(stat: BigIntStats, link: string | undefined): Entry {
  const special = specialKind(stat);
  return {
    kind: kindOf(stat),
    ...(special !== undefined && {special}),
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
 * Inodes are given out anew, at once: one that was made at another time is another. The device is left out: its number may
 * change when the machine starts again, and nothing is moved from one to another.
 */
export function identity({ino, birthtimeNs}: Pick<Entry, 'ino' | 'birthtimeNs'>): string {
  return `${ino}:${birthtimeNs}`;
}
