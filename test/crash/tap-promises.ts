// Taps `node:fs/promises`, and the file handles it gives.
import fs from 'node:fs';
import type {FileHandle} from 'node:fs/promises';
import type {FileOperation} from './file-operation.ts';
import type {WatchedFiles} from './watched-files.ts';

export function tapPromises(tap: WatchedFiles): void {
  const {promises} = fs;
  const {open, link, rename, unlink, mkdir, readFile} = promises;
  const around = async <T>(operation: FileOperation, work: () => Promise<T>): Promise<T> => {
    tap.before(operation);
    const result = await work();
    tap.after(operation);
    return result;
  };
  Object.assign(promises, {
    async open(path: string, flags: fs.OpenMode = 'r', mode?: fs.Mode) {
      if (!tap.isWatched(path)) return await open(path, flags, mode);
      const opening = tap.opening(path, flags);
      const file = await around(opening, () => open(path, flags, mode));
      tap.opened(file.fd, opening, flags);
      return tapFileHandle(tap, file, around);
    },
    link: (from: string, path: string) =>
      tap.isWatched(path) ? around({kind: 'link', from, path}, () => link(from, path)) : link(from, path),
    rename: (from: string, path: string) =>
      tap.isWatched(path) ? around({kind: 'rename', from, path}, () => rename(from, path)) : rename(from, path),
    unlink: (path: string) => (tap.isWatched(path) ? around({kind: 'unlink', path}, () => unlink(path)) : unlink(path)),
    mkdir: (path: string, options?: fs.MakeDirectoryOptions) =>
      tap.isWatched(path) ? around({kind: 'mkdir', path}, () => mkdir(path, options)) : mkdir(path, options),
    readFile: (path: string, options?: BufferEncoding) =>
      tap.isWatched(path) ? around({kind: 'read', path}, () => readFile(path, options)) : readFile(path, options),
  });
}

type Around = <T>(operation: FileOperation, work: () => Promise<T>) => Promise<T>;

function tapFileHandle(tap: WatchedFiles, file: FileHandle, around: Around): FileHandle {
  const {fd} = file;
  const handle = tap.fileOf(fd)?.handle ?? 0;
  const [close, sync, datasync] = [file.close, file.sync, file.datasync].map((method) => method.bind(file));
  return Object.assign(file, {
    async close() {
      tap.closed(fd);
      await close?.();
    },
    sync: () => around({kind: 'sync', handle}, async () => await sync?.()),
    datasync: () => around({kind: 'sync', handle}, async () => await datasync?.()),
    async writeFile(content: string | Uint8Array) {
      const bytes = Buffer.from(content as string);
      for (let done = 0; done < bytes.length;) done += fs.writeSync(fd, bytes, done);
    },
  });
}
