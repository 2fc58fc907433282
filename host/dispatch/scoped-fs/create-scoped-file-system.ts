// File access for one call, limited to its grant. The host performs it for handlers on the pool and in sandboxes alike. A path
// is checked as text, then walked without following symlinks.
import {realpathSync, type Dirent, type Stats} from 'node:fs';
import {lstat, opendir, rmdir, unlink} from 'node:fs/promises';
import {normalizePath} from '@lumenflow/kernel/adapters';
import {ToolError, type DirectoryEntry, type FileStat} from '@lumenflow/pack-sdk';
import {
  childPath,
  inDirectory,
  resolveWithin,
  SymlinkMet,
  type OpenDirectory,
  type Tree,
  type WalkOptions,
} from '@lumenflow/sandbox';
import {notAFile, notGranted, toToolError, type Refusal} from './fs-error.ts';
import {readFileIn} from './read-file-in.ts';
import {writeFileIn, type FileContent} from './write-file-in.ts';

export interface FileAccess {
  /** Takes a normalized path relative to the root. */
  allows(path: string, access: 'read' | 'write'): boolean;
  /** Whether a directory contains, at any depth, something readable. */
  leadsToReadable(path: string): boolean;
  /** Why `allows` returned false, if known: reported to the handler. */
  whyNot?(path: string, access: 'read' | 'write'): Refusal | undefined;
}

export interface HostFileSystem {
  /** `admit` receives the file's size before the file is read. */
  read(path: string, admit?: (bytes: number) => Promise<void>): Promise<Uint8Array>;
  write(path: string, content: FileContent): Promise<void>;
  list(path: string): Promise<readonly DirectoryEntry[]>;
  stat(path: string): Promise<FileStat | undefined>;
  remove(path: string): Promise<void>;
  /** All paths written so far, sorted. */
  written(): readonly string[];
}

/** Maximum number of entries of a directory. */
const entriesMax = 100_000;

/**
 * Paths are relative to the root. All reject with ToolError: SCOPE_DENIED, INVALID_PATH, NOT_FOUND, EXISTS, NOT_A_FILE,
 * NOT_A_DIRECTORY, NOT_EMPTY, PERMISSION_DENIED, LIMIT_EXCEEDED, IO_ERROR. Throws when the root does not exist.
 * `door`: where the call sees the root, while its writes are held back.
 */
export function createScopedFileSystem(workspaceRoot: string, access: FileAccess, door?: string): HostFileSystem {
  const root = realpathSync(workspaceRoot);
  const tree: Tree = door === undefined ? {root} : {root, door};
  const written = new Set<string>();

  const readable = (path: string): boolean => access.allows(path, 'read');
  const visible = (path: string): boolean => access.allows(path, 'read') || access.leadsToReadable(path);
  const refuse = (path: string, relative: string, kind: 'read' | 'write'): ToolError =>
    notGranted(path, kind, access.whyNot?.(relative, kind));
  // Only a directory can contain readable files.
  const shown = (path: string, kind: FileStat['kind']): boolean =>
    access.allows(path, 'read') || (kind === 'directory' && access.leadsToReadable(path));

  return {
    read: async (path, admit) =>
      await look({tree, path, may: readable, refuse}, async (place) => await readAt(place, admit)),
    list: async (path) =>
      await look({tree, path, may: visible, refuse}, async (place) => {
        return await listAt(place, (name, kind) => shown([...place.segments, name].join('/'), kind));
      }),
    stat: async (path) =>
      await look({tree, path, may: visible, refuse}, async (place) => {
        const stat = await statAt(place);
        if (stat !== undefined && !shown(place.relative, stat.kind)) throw refuse(path, place.relative, 'read');
        return stat;
      }),
    write: async (path, content) => {
      const place = writable(path);
      await changing(path, {...parentOf(place), make: true}, async (parent) => {
        await writeFileIn(parent, nameOf(place), place.relative, content);
      });
      written.add(place.relative);
    },
    remove: async (path) => {
      const place = writable(path);
      await changing(path, {...parentOf(place), make: false}, async (parent) => {
        const target = childPath(parent, nameOf(place));
        await ((await lstat(target)).isDirectory() ? rmdir(target) : unlink(target));
      });
    },
    written: () => [...written].toSorted(),
  };

  function writable(path: string): Place {
    const relative = normalize(path);
    if (!access.allows(relative, 'write')) throw refuse(path, relative, 'write');
    return placeOf(tree, relative);
  }
}

/** Resolves a path to the root and the names below it. */
interface Place {
  readonly tree: Tree;
  readonly relative: string;
  readonly segments: readonly string[];
}

function placeOf(tree: Tree, relative: string): Place {
  return {tree, relative, segments: relative === '.' ? [] : relative.split('/')};
}

function parentOf({tree, segments}: Place): Omit<WalkOptions, 'make'> {
  return {...tree, segments: segments.slice(0, -1)};
}

function nameOf({segments, relative}: Place): string {
  const name = segments.at(-1);
  if (name === undefined) throw notAFile(relative);
  return name;
}

interface Look {
  readonly tree: Tree;
  readonly path: string;
  may(relative: string): boolean;
  refuse(path: string, relative: string, access: 'read'): ToolError;
}

/** Reads may follow a symlink if its target is readable too. */
async function look<T>({tree, path, may, refuse}: Look, at: (place: Place) => Promise<T>): Promise<T> {
  const relative = normalize(path);
  if (!may(relative)) throw refuse(path, relative, 'read');
  try {
    return await at(placeOf(tree, relative)).catch(async (error: unknown) => {
      if (!(error instanceof SymlinkMet)) throw error;
      const target = await resolveWithin(tree, relative);
      if (target === undefined || !may(target || '.')) throw error;
      return await at(placeOf(tree, target || '.'));
    });
  } catch (error) {
    throw toToolError(error, path);
  }
}

async function changing(
  path: string,
  walk: WalkOptions,
  change: (parent: OpenDirectory) => Promise<void>,
): Promise<void> {
  try {
    await inDirectory(walk, change);
  } catch (error) {
    throw toToolError(error, path);
  }
}

async function readAt(place: Place, admit?: (bytes: number) => Promise<void>): Promise<Uint8Array> {
  const name = nameOf(place);
  return await inDirectory({...parentOf(place), make: false}, async (parent) => {
    return await readFileIn(parent, {name, relative: place.relative, admit});
  });
}

async function listAt(
  place: Place,
  shown: (name: string, kind: FileStat['kind']) => boolean,
): Promise<readonly DirectoryEntry[]> {
  return await inDirectory({...place.tree, segments: place.segments, make: false}, async (directory) => {
    const entries: DirectoryEntry[] = [];
    let seen = 0;
    for await (const entry of await opendir(childPath(directory, '.'))) {
      if (++seen > entriesMax) {
        throw new ToolError('LIMIT_EXCEEDED', `\`${place.relative}\` has more than ${entriesMax} entries`);
      }
      const kind = kindOf(entry);
      if (shown(entry.name, kind)) entries.push({name: entry.name, kind});
    }
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  });
}

async function statAt(place: Place): Promise<FileStat | undefined> {
  try {
    return await inDirectory({...parentOf(place), make: false}, async (parent) => {
      const stat = await lstat(childPath(parent, place.segments.at(-1) ?? '.'));
      return {kind: kindOf(stat), size: stat.size, mtime_ms: stat.mtimeMs};
    });
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function normalize(path: string): string {
  const normalized = normalizePath(path);
  if (normalized !== undefined) return normalized;
  throw new ToolError('INVALID_PATH', `\`${path}\` is not a path below the workspace root: give one relative to it`, {
    path,
  });
}

function kindOf(entry: Dirent | Stats): FileStat['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}
