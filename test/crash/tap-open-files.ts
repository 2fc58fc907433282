// Taps the functions of `node:fs` that open, write, cut, sync and close files.
import fs from 'node:fs';
import {replaceFunction} from './replace-function.ts';
import type {WatchedFiles} from './watched-files.ts';

/** What is given whole becomes what is done: an open, writes, a sync when asked for, a close. */
export function tapOpenFiles(tap: WatchedFiles): void {
  tapOpening(tap);
  tapWriting(tap);
  tapWholeFiles(tap);
  tapSyncing(tap);
}

function tapOpening(tap: WatchedFiles): void {
  replaceFunction('openSync', (open) => (path: string, flags: fs.OpenMode = 'r', mode?: fs.Mode) => {
    if (!tap.isWatched(path)) return open(path, flags, mode);
    const opening = tap.opening(path, flags);
    const fd = tap.through(opening, () => open(path, flags, mode));
    tap.opened(fd, opening, flags);
    return fd;
  });
  replaceFunction('closeSync', (close) => (fd: number) => {
    tap.closed(fd);
    close(fd);
  });
}

type WriteArguments = [
  fd: number,
  data: Uint8Array | string,
  from?: number,
  length?: number | null,
  at?: number | null,
];

function tapWriting(tap: WatchedFiles): void {
  const {fstatSync} = fs;
  replaceFunction('writeSync', (write) => (...[fd, data, from = 0, length, position]: WriteArguments) => {
    const whole = typeof data === 'string' ? Buffer.from(data) : data;
    const bytes = Buffer.from(whole.subarray(from, from + (length ?? whole.length - from)));
    const file = tap.fileOf(fd);
    if (file === undefined) return write(fd, bytes, 0, bytes.length, position ?? null);
    const offset = position ?? (file.appends ? fstatSync(fd).size : file.position);
    const allowed = tap.before({kind: 'write', handle: file.handle, offset, bytes}) ?? bytes.length;
    const written = write(fd, bytes, 0, allowed, file.appends ? null : offset);
    if (position === undefined || position === null) file.position = offset + written;
    tap.after({kind: 'write', handle: file.handle, offset, bytes: bytes.subarray(0, written)});
    return written;
  });
  replaceFunction('ftruncateSync', (truncate) => (fd: number, length = 0) => {
    const file = tap.fileOf(fd);
    if (file === undefined) return truncate(fd, length);
    tap.through({kind: 'truncate', handle: file.handle, length}, () => truncate(fd, length));
  });
}

interface WriteOptions {
  readonly flag: string;
  readonly mode?: fs.Mode;
  readonly flush?: boolean;
}

function tapWholeFiles(tap: WatchedFiles): void {
  const writeWhole = (path: string, data: string | Uint8Array, options: WriteOptions): void => {
    const fd = fs.openSync(path, options.flag, options.mode);
    try {
      const bytes = Buffer.from(data as string);
      for (let done = 0; done < bytes.length;) done += fs.writeSync(fd, bytes, done);
      if (options.flush === true) fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  };
  for (const [name, flag] of [
    ['writeFileSync', 'w'],
    ['appendFileSync', 'a'],
  ] as const) {
    replaceFunction(name, (original) => (path: string, data: string | Uint8Array, options?: Partial<WriteOptions>) => {
      if (tap.isWatched(path)) writeWhole(path, data, {flag, ...options});
      else original(path, data, options);
    });
  }
}

function tapSyncing(tap: WatchedFiles): void {
  for (const name of ['fsyncSync', 'fdatasyncSync'] as const) {
    replaceFunction(name, (sync) => (fd: number) => {
      const file = tap.fileOf(fd);
      if (file === undefined) return sync(fd);
      tap.through({kind: 'sync', handle: file.handle}, () => sync(fd));
    });
  }
  for (const name of ['fsync', 'fdatasync'] as const) {
    replaceFunction(name, (sync) => (fd: number, done: (error: Error | null) => void) => {
      const file = tap.fileOf(fd);
      if (file === undefined) return sync(fd, done);
      const operation = {kind: 'sync', handle: file.handle} as const;
      try {
        tap.before(operation);
      } catch (error) {
        process.nextTick(done, error);
        return;
      }
      sync(fd, (error) => {
        if (!error) tap.after(operation);
        done(error);
      });
    });
  }
}
