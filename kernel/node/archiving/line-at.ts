// The first line of a file, without reading the rest.
import {closeSync, openSync, readSync} from 'node:fs';

const newline = 0x0a;

/** Undefined if the file has no complete line. */
export function lineAt(path: string): Buffer | undefined {
  const fd = openSync(path, 'r');
  try {
    for (let length = 16 * 1024; ; length *= 8) {
      const bytes = Buffer.alloc(length);
      const read = readSync(fd, bytes, 0, length, 0);
      const end = bytes.subarray(0, read).indexOf(newline);
      if (end >= 0) return bytes.subarray(0, end);
      if (read < length) return undefined;
    }
  } finally {
    closeSync(fd);
  }
}
