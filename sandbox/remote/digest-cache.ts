// The digests of a host's files, each read once while it stays the same: a tree that has not changed is not read again.
import {createHash} from 'node:crypto';
import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs';
import type {ChangedEntry} from '../packed-files/file-mirror.ts';

export interface DigestCache {
  /** Undefined if it cannot be read, or changes. */
  of(change: ChangedEntry): string | undefined;
}

/** Beyond it, all are forgotten. */
const filesMax = 500_000;
const chunkBytes = 256 * 1024;

export function createDigestCache(): DigestCache {
  const known = new Map<string, string>();
  return {
    of({at, found}) {
      const unchanged = found && known.get(markOf(found));
      if (unchanged !== undefined) return unchanged;
      const fd = openFile(at);
      if (fd === undefined) return undefined;
      try {
        const before = markOf(fstatSync(fd, {bigint: true}));
        const digest = digestOf(fd);
        if (markOf(fstatSync(fd, {bigint: true})) !== before) return undefined;
        if (known.size >= filesMax) known.clear();
        known.set(before, digest);
        return digest;
      } finally {
        closeSync(fd);
      }
    },
  };
}

function openFile(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // It has gone, or this user may not read it: it is not sent.
    return undefined;
  }
}

type Seen = Readonly<Record<'dev' | 'ino' | 'mtimeNs' | 'ctimeNs', bigint> & {size: bigint | number}>;

/** No program can set the time of a file's last change. */
function markOf({dev, ino, size, mtimeNs, ctimeNs}: Seen): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

function digestOf(fd: number): string {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(chunkBytes);
  for (let at = 0; ;) {
    const length = readSync(fd, chunk, 0, chunkBytes, at);
    if (length === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, length));
    at += length;
  }
}
