// Taps the functions of `node:fs` that change names, and those that only read.
import {replaceFunction} from './replace-function.ts';
import type {WatchedFiles} from './watched-files.ts';

export function tapNames(tap: WatchedFiles): void {
  for (const kind of ['mkdir', 'unlink'] as const) {
    replaceFunction(`${kind}Sync`, (original) => (path: string, ...rest: never[]) => {
      const change = original as (...args: unknown[]) => unknown;
      if (!tap.isWatched(path)) return change(path, ...rest);
      return tap.through({kind, path}, () => change(path, ...rest));
    });
  }
  for (const kind of ['link', 'rename'] as const) {
    replaceFunction(`${kind}Sync`, (change) => (from: string, path: string) => {
      if (!tap.isWatched(path)) return change(from, path);
      tap.through({kind, from, path}, () => change(from, path));
    });
  }
  replaceFunction('symlinkSync', (symlink) => (target: string, path: string) => {
    if (!tap.isWatched(path)) return symlink(target, path);
    tap.through({kind: 'symlink', target, path}, () => symlink(target, path));
  });
}

export function tapReads(tap: WatchedFiles): void {
  for (const name of ['readdirSync', 'readFileSync', 'readlinkSync'] as const) {
    replaceFunction(name, (original) => (path: string, ...rest: never[]) => {
      const read = original as (...args: unknown[]) => unknown;
      if (!tap.isWatched(path)) return tap.within(() => read(path, ...rest));
      return tap.through({kind: 'read', path}, () => read(path, ...rest));
    });
  }
  replaceFunction('readSync', (original) => (fd: number, ...rest: never[]) => {
    const read = original as (...args: unknown[]) => unknown;
    const file = tap.fileOf(fd);
    if (file === undefined) return read(fd, ...rest);
    return tap.through({kind: 'read', handle: file.handle}, () => read(fd, ...rest));
  });
}
