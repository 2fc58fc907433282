// Watches what a running sandbox hides and seals in the folders that it mounts. The kernel takes a mount away when the file
// below it is replaced or removed outside, as editors and git do when they save; from then on the call would read or write the
// new file. So the call is killed immediately, and what it may have done to the file in between is undone.
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  watch,
  writeFileSync,
  type FSWatcher,
} from 'node:fs';
import {basename, dirname} from 'node:path';
import {isWithin} from '../profile/host-paths.ts';
import {pathBytes} from '../profile/path-bytes.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import {SealBroken} from './seal-broken.ts';

export interface SealWatch {
  /** Aborts with SealBroken. */
  readonly broken: AbortSignal;
  /**
   * After the call: what was replaced, absolute. A file that the call could then write to, and that changed once more, is put
   * back as it was first seen; what it had become is kept in the folder.
   */
  finish(keptIn: string): readonly string[];
}

interface Replaced {
  /** Undefined if it is gone, is not a file, or is too large to keep. */
  readonly content: Buffer | undefined;
  readonly identity: string;
}

const contentBytesMax = 4 * 1024 * 1024;
/** Where the system has no more watches to give. */
const pollMs = 50;

export function watchSeals(compiled: CompiledProfile): SealWatch {
  const sealed = new Map(sealedPaths(compiled).map((path) => [path, identityOf(path)]));
  const replaced = new Map<string, Replaced>();
  const breaking = new AbortController();

  const check = (paths: Iterable<string>): void => {
    for (const path of paths) {
      const identity = identityOf(path);
      if (identity === sealed.get(path) || replaced.has(path)) continue;
      replaced.set(path, {identity, content: contentOf(path)});
      breaking.abort(new SealBroken(path));
    }
  };
  const watching = watchFolders(byFolder([...sealed.keys()]), check);
  // Between looking and watching.
  check(sealed.keys());
  return {
    broken: breaking.signal,
    finish(keptIn) {
      watching.close();
      check(sealed.keys());
      const {writable_bind_mounts} = compiled.profile;
      for (const [path, seen] of replaced) {
        if (writable_bind_mounts.some(({target}) => isWithin(path, target))) restore(path, seen, keptIn);
      }
      return [...replaced.keys()];
    },
  };
}

/** Mounts on what lies in another mount, as far as they are more than a part of it that is as writable. */
function sealedPaths({profile}: CompiledProfile): readonly string[] {
  const {readonly_bind_mounts, writable_bind_mounts, deny_overlays} = profile;
  const mounts = [...readonly_bind_mounts, ...writable_bind_mounts].map(({target}) => target);
  const isInside = (path: string): boolean => mounts.some((mount) => mount !== path && isWithin(path, mount));
  return [...readonly_bind_mounts.map(({target}) => target), ...deny_overlays.map(({path}) => path)].filter(isInside);
}

function byFolder(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, string[]>();
  for (const path of paths) folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), path]);
  return folders;
}

function watchFolders(
  folders: ReadonlyMap<string, readonly string[]>,
  check: (paths: Iterable<string>) => void,
): {close(): void} {
  const watchers: FSWatcher[] = [];
  const timers: NodeJS.Timeout[] = [];
  const poll = (paths: readonly string[]): void => void timers.push(setInterval(() => check(paths), pollMs));
  for (const [folder, paths] of folders) {
    try {
      const watcher = watch(pathBytes(folder), {persistent: false}, (_, name) => {
        const named = name === null ? paths : paths.filter((path) => basename(path) === name);
        check(named);
      });
      watcher.on('error', () => poll(paths));
      watchers.push(watcher);
    } catch {
      poll(paths);
    }
  }
  return {
    close() {
      for (const watcher of watchers) watcher.close();
      for (const timer of timers) clearInterval(timer);
    },
  };
}

/** Inode numbers are reused after a deletion; creation times are not. */
function identityOf(path: string): string {
  const stats = lstatSync(pathBytes(path), {bigint: true, throwIfNoEntry: false});
  return stats === undefined ? 'gone' : [stats.dev, stats.ino, stats.birthtimeNs].join(' ');
}

function contentOf(path: string): Buffer | undefined {
  try {
    const stats = lstatSync(pathBytes(path));
    return stats.isFile() && stats.size <= contentBytesMax ? readFileSync(pathBytes(path)) : undefined;
  } catch {
    // It is gone or unreachable: nothing is restored then.
    return undefined;
  }
}

/** If the file was replaced once more, nothing is restored: only a person can do that, not a call. */
function restore(path: string, {content, identity}: Replaced, keptIn: string): void {
  const now = content && identityOf(path) === identity ? contentOf(path) : undefined;
  if (content === undefined || now === undefined || now.equals(content)) return;
  mkdirSync(keptIn, {recursive: true, mode: 0o700});
  writeFileSync(`${keptIn}/replaced-${readdirSync(keptIn).length + 1}`, now, {mode: 0o600});
  const {mode} = lstatSync(pathBytes(path));
  const beside = pathBytes(`${path}.restoring-${process.pid}`);
  writeFileSync(beside, content, {mode: mode & 0o777, flag: 'wx'});
  renameSync(beside, pathBytes(path));
}
