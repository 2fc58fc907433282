// Moves planted files away from the programs that would obey them, and keeps them for a person to inspect.
import {chmodSync, lstatSync, mkdirSync, readdirSync, renameSync} from 'node:fs';
import {dirname} from 'node:path';
import {pathBytes} from '../profile/path-bytes.ts';
import {inForcedDirectory} from './open-by-force.ts';

const pathLengthMax = 512;

export interface QuarantineFolders {
  /** Absolute, without symlinks. */
  readonly root: string;
  /** Relative to the root: where to keep what is moved. */
  readonly keptIn: string;
}

export interface Quarantined {
  /** Relative to the root. */
  readonly path: string;
  /** Why it could not be moved; undefined if it was. */
  readonly problem?: string;
}

/** `paths` are relative to the root. Paths below another one of them are moved with it. */
export function quarantinePaths(paths: readonly string[], place: QuarantineFolders): readonly Quarantined[] {
  const moved: Quarantined[] = [];
  for (const path of [...new Set(paths)].toSorted()) {
    if (moved.some((outer) => path.startsWith(`${outer.path}/`))) continue;
    moved.push(quarantine(path, place));
  }
  return moved;
}

function quarantine(path: string, {root, keptIn}: QuarantineFolders): Quarantined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    const kept = folderFor(path, `${root}/${keptIn}`);
    inForcedDirectory(root, parentNames(path), (from) => {
      const restore = unlockMoved(from.at(name));
      try {
        renameSync(from.at(name), pathBytes(`${kept}/${name}`));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
        // The target is another file system. Under a name that no program uses, the file is not obeyed either.
        renameSync(from.at(name), from.at(`${name.slice(0, 100)}.quarantined-${Date.now()}`));
      }
      restore(pathBytes(`${kept}/${name}`));
    });
    return {path};
  } catch (error) {
    return gone(error) ? {path} : {path, problem: error instanceof Error ? error.message : String(error)};
  }
}

/** By its own path, unless it is too long for the system. */
function folderFor(path: string, keptIn: string): string {
  mkdirSync(keptIn, {recursive: true, mode: 0o700});
  const parent = parentNames(path).join('/');
  const isPlain = path.length < pathLengthMax && !/[^\u0020-\u007e]/.test(parent);
  const folder = isPlain && parent !== '' ? `${keptIn}/${parent}` : isPlain ? keptIn : `${keptIn}/${numberOf(keptIn)}`;
  mkdirSync(folder, {recursive: true, mode: 0o700});
  return folder;
}

function numberOf(keptIn: string): number {
  return readdirSync(keptIn).length + 1;
}

/** A directory that is moved elsewhere is written to, since it knows the one above it. */
function unlockMoved(path: string | Buffer): (to: string | Buffer) => void {
  const {mode, uid} = lstatSync(path);
  const isLocked = (mode & 0o170000) === 0o040000 && (mode & 0o200) === 0 && uid === process.geteuid?.();
  if (!isLocked) return () => undefined;
  chmodSync(path, (mode & 0o7777) | 0o200);
  return (to) => chmodSync(to, mode & 0o7777);
}

function parentNames(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === '.' ? [] : parent.split('/');
}

function gone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
