// Whether a folder can be written now: a readiness check must find a full, read-only or failing disk before a call does.
import {closeSync, openSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {throwDiskFailure} from '../log/disk-failure.ts';
import {writeFully, type FileOperations} from '../log/file-operations.ts';

const probe = Buffer.alloc(4_096);

/** Writes, syncs and removes a file, which several processes may do at once. Rejects with KernelError LOG_UNAVAILABLE. */
export async function probeFolder(folder: string, files: FileOperations): Promise<void> {
  const path = join(folder, 'writable.probe');
  try {
    const fd = openSync(path, 'w', 0o600);
    try {
      writeFully(files, fd, probe, 0);
      await files.datasync(fd);
    } finally {
      closeSync(fd);
      rmSync(path, {force: true});
    }
  } catch (error) {
    throwDiskFailure(error);
  }
}
