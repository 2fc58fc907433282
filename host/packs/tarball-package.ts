// Reads the name of the package in a tarball, without unpacking it.
import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';

const blockSize = 512;
/** More than any package has; a larger archive is not unpacked in memory. */
const bytesMax = 512 * 1024 * 1024;

/** Undefined if the file is not a tarball that `npm pack` made. */
export function tarballPackage(file: string): string | undefined {
  try {
    const text = packageJsonIn(gunzipSync(readFileSync(file), {maxOutputLength: bytesMax}));
    const {name} = JSON.parse(text ?? '{}') as {readonly name?: unknown};
    return typeof name === 'string' ? name : undefined;
  } catch {
    // Not gzip or not JSON, which the caller reports.
    return undefined;
  }
}

/** A tar archive is a list of entries: a header of one block, then the content in whole blocks. */
function packageJsonIn(archive: Buffer): string | undefined {
  for (let start = 0; start + blockSize <= archive.length;) {
    const field = (from: number, to: number): string =>
      archive.toString('utf8', start + from, start + to).replace(/\0.*$/su, '');
    const size = Number.parseInt(field(124, 136).trim() || '0', 8);
    const content = start + blockSize;
    // npm packs everything below one folder, usually `package`.
    if (/^[^/]+\/package\.json$/u.test(field(0, 100))) return archive.toString('utf8', content, content + size);
    start = content + Math.ceil(size / blockSize) * blockSize;
  }
  return undefined;
}
