// Which contents an archived pack has: the first eight bytes of each hash, in a file beside its note. It can be deleted; the pack itself is
// then fetched to look.
import {readFileSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {packFrames} from '../blobs/pack-frames.ts';

const hashBytes = 8;

export async function keepHashes(folder: string, name: string, pack: Buffer): Promise<void> {
  const hashes = [...packFrames(pack)].map(({hash}) => Buffer.from(hash.slice(0, 2 * hashBytes), 'hex'));
  await mkdir(join(folder, 'archived'), {recursive: true, mode: 0o700});
  await writeFile(pathOf(folder, name), Buffer.concat(hashes), {mode: 0o600});
}

/** Whether an archived pack may have one of these contents. */
export function mayHave(folder: string, name: string, hashes: ReadonlySet<string>): boolean {
  let kept: Buffer;
  try {
    kept = readFileSync(pathOf(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
  const wanted = new Set([...hashes].map((hash) => hash.slice(0, 2 * hashBytes)));
  for (let at = 0; at + hashBytes <= kept.length; at += hashBytes) {
    if (wanted.has(kept.toString('hex', at, at + hashBytes))) return true;
  }
  return false;
}

function pathOf(folder: string, name: string): string {
  return join(folder, 'archived', `${name}.hashes`);
}
