// Contents for verification: what the archive does not return unchanged is a finding, and no reason to stop. A damaged note is one, too.
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
      if (error instanceof NeedsArchive) return readArchived(() => blobs.read(ref), archive);
      return changedBy(error);
    }
  };
}

async function readArchived(read: () => BlobReading, archive: ArchiveReader): Promise<BlobReading> {
  try {
    return await archive.reading(read);
  } catch (error) {
    return changedBy(error);
  }
}

function changedBy(error: unknown): BlobReading {
  if (isKernelError(error) && error.code === 'LOG_CORRUPT') return {kind: 'changed', reason: error.message};
  throw error;
}
