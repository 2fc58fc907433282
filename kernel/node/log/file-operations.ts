// The few file operations that can fail on a full or broken disk, as a seam: tests make them fail.
import {fdatasync, ftruncateSync, writeSync} from 'node:fs';
import {promisify} from 'node:util';

export interface FileOperations {
  /** Writes some of the bytes at a position; gives how many. */
  write(fd: number, bytes: Uint8Array, position: number): number;
  truncate(fd: number, length: number): void;
  /** Resolves once what was written before is on disk. */
  datasync(fd: number): Promise<void>;
}

const datasync = promisify(fdatasync);

export const nodeFileOperations: FileOperations = {
  write: (fd, bytes, position) => writeSync(fd, bytes, 0, bytes.length, position),
  truncate: ftruncateSync,
  datasync,
};

/** Writes all of the bytes at a position, or throws. */
export function writeFully(files: FileOperations, fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) done += files.write(fd, bytes.subarray(done), position + done);
}
