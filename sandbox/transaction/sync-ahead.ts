// Starts to sync large files of a view while they are still being read and judged. Applied files must be synced, and the disk
// need not be idle until then.
import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import type {Change} from './change.ts';

/** Smaller files sync just as fast when they are applied. */
const bytesMin = 4 * 1024 * 1024;

/** Resolves once all is on disk. Never rejects: what counts is the sync when it is applied. */
export async function syncAhead(changes: readonly Change[]): Promise<void> {
  for (const {source, isMade, after} of changes) {
    if (isMade === true && source !== undefined && after?.kind === 'file' && after.size >= bytesMin) await sync(source);
  }
}

async function sync(path: string): Promise<void> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch {
    // Discarded in the meantime, or not readable.
  }
}
