// Which contents an archived pack has: the first eight bytes of each hash, and the SHA-256 of these, in a file beside its note. If it is
// deleted or damaged, the pack itself is fetched to look.
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {packFrames} from '../blobs/pack-frames.ts';

const hashBytes = 8;
const checkBytes = 32;

export async function keepHashes(folder: string, name: string, pack: Buffer): Promise<void> {
  const hashes = [...packFrames(pack)].map(({hash}) => Buffer.from(hash.slice(0, 2 * hashBytes), 'hex'));
  await mkdir(join(folder, 'archived'), {recursive: true, mode: 0o700});
  const bytes = Buffer.concat(hashes);
  await writeFile(pathOf(folder, name), Buffer.concat([bytes, checkOf(bytes)]), {mode: 0o600});
}

/** Whether an archived pack may have one of these contents. */
export function mayHave(folder: string, name: string, hashes: ReadonlySet<string>): boolean {
  const kept = readHashes(folder, name);
  if (kept === undefined) return true;
  const wanted = new Set([...hashes].map((hash) => hash.slice(0, 2 * hashBytes)));
  for (let at = 0; at + hashBytes <= kept.length; at += hashBytes) {
    if (wanted.has(kept.toString('hex', at, at + hashBytes))) return true;
  }
  return false;
}

/** Undefined if they are missing or not what was written: a redaction must not miss a content. */
function readHashes(folder: string, name: string): Buffer | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(pathOf(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const hashes = bytes.subarray(0, Math.max(0, bytes.length - checkBytes));
  return checkOf(hashes).equals(bytes.subarray(hashes.length)) ? hashes : undefined;
}

function checkOf(hashes: Buffer): Buffer {
  return createHash('sha256').update(hashes).digest();
}

function pathOf(folder: string, name: string): string {
  return join(folder, 'archived', `${name}.hashes`);
}
