// Sends what has changed in a mirror, each entry followed by its content.
import {open, type FileHandle} from 'node:fs/promises';
import {constants} from 'node:fs';
import type {ChangedEntry} from './file-mirror.ts';
import type {PackedEntry} from './packed-entry.ts';

export interface EntrySink {
  entry(entry: PackedEntry): Promise<void>;
  content(bytes: Uint8Array): Promise<void>;
}

const chunkBytes = 256 * 1024;
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export async function sendChanges(changes: readonly ChangedEntry[], sink: EntrySink): Promise<void> {
  for (const {entry, at} of changes) {
    if (entry.kind !== 'file' || entry.size === 0 || entry.sha256 !== undefined) await sink.entry(entry);
    else await sendFile(entry, at, sink);
  }
}

/** One that has gone since it was found is left out, and so is one that this user may not read. */
async function sendFile(entry: PackedEntry, at: string, sink: EntrySink): Promise<void> {
  const handle = await open(at, readFlags).catch((error: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ELOOP', 'EACCES'].includes(error.code ?? '')) return undefined;
    throw error;
  });
  if (handle === undefined) return;
  try {
    await sink.entry(entry);
    await sendContent(handle, entry.size, sink);
  } finally {
    await handle.close();
  }
}

/** Exactly as many bytes as were announced: a file that shrinks is filled with zeros, and sent again next time. */
async function sendContent(handle: FileHandle, size: number, sink: EntrySink): Promise<void> {
  for (let sent = 0; sent < size;) {
    const wanted = Math.min(chunkBytes, size - sent);
    const chunk = Buffer.alloc(wanted);
    const {bytesRead} = await handle.read(chunk, 0, wanted, sent);
    const part = bytesRead === 0 ? chunk : chunk.subarray(0, bytesRead);
    await sink.content(part);
    sent += part.length;
  }
}
