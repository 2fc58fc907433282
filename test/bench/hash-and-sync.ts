// What the outcome of a transactional call promises of the files: a SHA-256 of each, and all on disk. A direct call does neither, so
// the baseline does both after it.
import {execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {closeSync, openSync, readdirSync, readSync, statSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';

/** `path`: a file, or a directory of files. */
export async function hashAndSync(path: string): Promise<void> {
  if (statSync(path).isDirectory()) {
    for (const entry of readdirSync(path, {recursive: true, withFileTypes: true}))
      if (entry.isFile()) hash(join(entry.parentPath, entry.name));
    // One sync of the file system is faster than one of each file.
    await promisify(execFile)('sync', ['-f', path]);
    return;
  }
  const synced = sync(path);
  hash(path);
  await synced;
  await sync(dirname(path));
}

const chunk = Buffer.alloc(1024 * 1024);

function hash(path: string): void {
  const digest = createHash('sha256');
  const file = openSync(path, 'r');
  try {
    for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk))
      digest.update(chunk.subarray(0, length));
  } finally {
    closeSync(file);
  }
  digest.digest();
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
