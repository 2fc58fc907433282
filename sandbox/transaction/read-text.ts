import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import {undefinedIfMissing} from '../files/undefined-if-missing.ts';

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Returns a regular file's text, or undefined if it is larger, not UTF-8, contains a NUL, or does not exist. */
export async function readText(path: string, maxBytes: number): Promise<string | undefined> {
  const handle = await undefinedIfMissing(open(path, flags));
  if (handle === undefined) return undefined;
  try {
    const stat = await handle.stat();
    if (!stat.isFile() || stat.size > maxBytes) return undefined;
    const bytes = Buffer.allocUnsafe(maxBytes + 1);
    const {bytesRead} = await handle.read(bytes, 0, bytes.length, 0);
    if (bytesRead > maxBytes) return undefined;
    const text = bytes.toString('utf8', 0, bytesRead);
    return text.includes('\0') || !bytes.subarray(0, bytesRead).equals(Buffer.from(text)) ? undefined : text;
  } finally {
    await handle.close();
  }
}
