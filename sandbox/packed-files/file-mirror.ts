// Finds what has changed in some files since the last time, for the other side that has copies of them. A host inspects what a
// profile grants, a guest what its handler may write.
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {lookAtOnce, type Entry} from '../transaction/entry.ts';
import type {PackedEntry} from './packed-entry.ts';

export interface MirroredFiles {
  /** Where each tree or file lies, by its absolute path inside. One within another replaces that part of it. */
  readonly mounts: ReadonlyMap<string, string>;
  /** Absolute paths inside that are left out, with everything below. */
  readonly excluded: ReadonlySet<string>;
}

export interface ChangedEntry {
  readonly entry: PackedEntry;
  /** Where its content is. */
  readonly at: string;
  /** As it was found; undefined if it has gone. */
  readonly found?: Entry;
}

export interface FileMirror {
  /** What has changed since the last time: what has gone, deepest first; then what is there, parents first. */
  changes(): readonly ChangedEntry[];
  /** The other side knows this path as it is now. */
  note(path: string): void;
}

interface Found {
  readonly entry: Entry;
  readonly at: string;
}

export function createFileMirror({mounts, excluded}: MirroredFiles): FileMirror {
  let known = new Map<string, string>();

  function walk(path: string, at: string, found: Map<string, Found>): void {
    if (excluded.has(path) || found.has(path)) return;
    const entry = lookAtOnce(at);
    if (entry === undefined || entry.kind === 'other') return;
    found.set(path, {entry, at});
    if (entry.kind !== 'directory') return;
    for (const name of readableNames(at)) {
      const child = `${path === '/' ? '' : path}/${name}`;
      walk(child, mounts.get(child) ?? join(at, name), found);
    }
  }

  function placeOf(path: string): string | undefined {
    const mounted = mounts.get(path);
    if (mounted !== undefined) return mounted;
    const slash = path.lastIndexOf('/');
    if (slash <= 0) return undefined;
    const parent = placeOf(path.slice(0, slash));
    return parent && join(parent, path.slice(slash + 1));
  }

  return {
    changes() {
      const found = new Map<string, Found>();
      for (const [path, at] of [...mounts].toSorted(([a], [b]) => a.length - b.length)) walk(path, at, found);
      const gone = [...known.keys()].filter((path) => !found.has(path)).toReversed();
      const changed = [...found].filter(([path, {entry}]) => known.get(path) !== markOf(entry));
      known = new Map([...found].map(([path, {entry}]) => [path, markOf(entry)]));
      return [
        ...gone.map((path) => ({entry: goneEntry(path), at: ''})),
        ...changed.map(([path, {entry, at}]) => ({entry: packed(path, entry), at, found: entry})),
      ];
    },
    note(path) {
      const at = placeOf(path);
      const entry = at === undefined ? undefined : lookAtOnce(at);
      if (entry === undefined) known.delete(path);
      else known.set(path, markOf(entry));
    },
  };
}

/** None of a directory that this user may not read: a mount would not show them either. */
function readableNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return [];
    throw error;
  }
}

/** No program can set the time of an entry's last change. That of a directory changes with its contents. */
function markOf({kind, mode, ino, ctimeNs}: Entry): string {
  return kind === 'directory' ? `directory:${mode}` : `${ino}:${ctimeNs}`;
}

function goneEntry(path: string): PackedEntry {
  return {path, kind: 'gone', mode: 0, size: 0, mtime_ns: '0'};
}

function packed(path: string, {kind, mode, size, mtimeNs, link}: Entry): PackedEntry {
  return {
    path,
    kind: kind === 'directory' || kind === 'symlink' ? kind : 'file',
    mode,
    size: kind === 'file' ? size : 0,
    mtime_ns: String(mtimeNs),
    ...(link !== undefined && {link}),
  };
}
