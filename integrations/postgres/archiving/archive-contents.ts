// Moves contents to the archive that no record or event here names, in packs. A pack is named in the database before it is stored: one that an
// interrupted archiving left is deleted there, because a content that is destroyed later must not be in it.
import {
  packHeader,
  putAndCompare,
  sha256Hex,
  type ArchivedSegment,
  type ArchiveOrder,
  type ArchiveReport,
} from '@lumenflow/kernel/node';
import {randomBytes} from 'node:crypto';
import {namedHere} from './named-here.ts';
import type {CheckLock} from '../state/archive-lock.ts';
import type {ArchivedParts} from './archived-parts.ts';
import {deleteSuperseded} from '../state/shred-archived.ts';

interface Candidate {
  readonly ref: string;
  readonly hash: string;
  readonly bytes: number;
}

interface Packed extends Candidate {
  readonly offset: number;
}

const candidatesAtOnce = 1_000;

export async function archiveContents(
  parts: ArchivedParts,
  order: ArchiveOrder,
  {segments, check}: {readonly segments: readonly ArchivedSegment[]; readonly check: CheckLock},
): Promise<ArchiveReport['contents']> {
  const named = await namedHere(parts.database, segments);
  let [files, bytes] = [0, 0];
  let waiting: Candidate[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    if (order.dryRun !== true) await movePack(parts, waiting, check);
    files += 1;
    bytes += size;
    [waiting, size] = [[], 0];
  };
  for await (const candidate of candidatesOf(parts, order.before)) {
    if (named.has(candidate.ref)) continue;
    if (size + candidate.bytes > parts.objectBytes) await flush();
    waiting.push(candidate);
    size += candidate.bytes;
  }
  await flush();
  return {files, bytes};
}

/** Contents that were stored before a time, in order of their refs. */
async function* candidatesOf({database}: ArchivedParts, before: string): AsyncGenerator<Candidate, void> {
  for (let after = ''; ;) {
    const rows = await database.ask<{ref: string; hash: string; bytes: number}>({
      text: `select ref, hash, octet_length(bytes) as bytes from contents
        where ref > $1 and bytes is not null and (stored_at is null or stored_at < $2) order by ref limit $3`,
      values: [after, before, candidatesAtOnce],
    });
    yield* rows;
    after = rows.at(-1)?.ref ?? '';
    if (rows.length < candidatesAtOnce) return;
  }
}

async function movePack(parts: ArchivedParts, contents: readonly Candidate[], check: CheckLock): Promise<void> {
  const {database, store, onStep} = parts;
  const {bytes, packed} = await packOf(parts, contents);
  if (packed.length === 0) return;
  const [name, sha256] = [`pack-${randomBytes(6).toString('hex')}`, sha256Hex(bytes)];
  const key = `contents/${name}-${sha256}`;
  onStep(`begin ${key}`);
  await database.ask({
    text: 'select begin_pack($1, $2, $3, $4, $5)',
    values: [name, store.location, key, sha256, bytes.length],
  });
  try {
    onStep(`put ${key}`);
    await putAndCompare(store, key, bytes);
    await check();
    onStep(`remove ${key}`);
    await database.ask({
      text: 'select finish_pack($1, $2, $3, $4, $5)',
      values: [
        name,
        key,
        packed.map(({ref}) => ref),
        packed.map(({offset}) => offset),
        packed.map((each) => each.bytes),
      ],
    });
  } catch (error) {
    // If this fails, too, the next archiving or deletion does it.
    await deleteSuperseded(parts).catch(() => undefined);
    throw error;
  }
}

/** Frames as in a pack on disk. What was shredded meanwhile is not in it. */
async function packOf(
  {database}: ArchivedParts,
  contents: readonly Candidate[],
): Promise<{readonly bytes: Buffer; readonly packed: readonly Packed[]}> {
  const frames: Buffer[] = [];
  const packed: Packed[] = [];
  let offset = 0;
  const rows = await database.ask<{ref: string; hash: string; bytes: Buffer}>({
    text: 'select ref, hash, bytes from contents where ref = any($1) and bytes is not null order by ref',
    values: [contents.map(({ref}) => ref)],
  });
  for (const {ref, hash, bytes} of rows) {
    // A content that was changed stays, where verification reports it.
    if (sha256Hex(bytes) !== hash) continue;
    const header = Buffer.from(packHeader(hash, bytes.length));
    packed.push({ref, hash, bytes: bytes.length, offset: offset + header.length});
    frames.push(header, bytes, Buffer.from('\n'));
    offset += header.length + bytes.length + 1;
  }
  return {bytes: Buffer.concat(frames), packed};
}
