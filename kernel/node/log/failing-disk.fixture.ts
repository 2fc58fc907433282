// A disk that refuses on demand, otherwise the real one.
import {nodeFileOperations, type FileOperations} from './file-operations.ts';

export interface FailingDisk extends FileOperations {
  /** Bytes that may still be written before writing fails with ENOSPC. */
  room: number;
  /** Whether bringing data to disk fails with EIO. */
  syncFails: boolean;
  truncateFails: boolean;
  syncs: number;
}

export function createFailingDisk(): FailingDisk {
  const disk: FailingDisk = {
    room: Number.POSITIVE_INFINITY,
    syncFails: false,
    truncateFails: false,
    syncs: 0,
    write(fd, bytes, position) {
      if (disk.room <= 0) throw failure('ENOSPC', 'no space left on device');
      const part = bytes.subarray(0, Math.min(bytes.length, disk.room));
      disk.room -= part.length;
      return nodeFileOperations.write(fd, part, position);
    },
    truncate(fd, length) {
      if (disk.truncateFails) throw failure('EIO', 'i/o error');
      nodeFileOperations.truncate(fd, length);
    },
    async datasync(fd) {
      disk.syncs += 1;
      if (disk.syncFails) throw failure('EIO', 'i/o error');
      await nodeFileOperations.datasync(fd);
    },
  };
  return disk;
}

function failure(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${message}`), {code});
}
