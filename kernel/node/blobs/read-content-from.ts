// Contents for verification: what the archive does not return unchanged is a finding, and no reason to stop.
import {isKernelError} from '@lumenflow/kernel';
import type {ArchiveReader} from '../archive/archive-reader.ts';
import {NeedsArchive} from '../archive/open-stored.ts';
import type {BlobReading} from './read-blob.ts';
import type {BlobWindows} from './blob-windows.ts';

export function readContentFrom(
  blobs: Pick<BlobWindows, 'read'>,
  archive: ArchiveReader,
): (ref: string) => BlobReading | Promise<BlobReading> {
  return (ref) => {
    try {
      return blobs.read(ref);
    } catch (error) {
      if (!(error instanceof NeedsArchive)) throw error;
      return readArchived(() => blobs.read(ref), archive);
    }
  };
}

async function readArchived(read: () => BlobReading, archive: ArchiveReader): Promise<BlobReading> {
  try {
    return await archive.reading(read);
  } catch (error) {
    if (isKernelError(error) && error.code === 'LOG_CORRUPT') return {kind: 'changed'};
    throw error;
  }
}
