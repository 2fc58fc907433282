// Destroys contents in the archive. Objects are immutable, so one without the contents replaces the object that has them; the note names it
// before the old one is deleted. A content that was shredded leaves its hash and zeros, or one zero.
import {KernelError} from '@lumenflow/kernel';
import {
  listArchived,
  readArchived,
  removeRestored,
  writeArchived,
  type ArchivedFile,
} from '../archive/archived-file.ts';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {formatBlobRef} from '../blobs/blob-ref.ts';
import {isShreddedPack} from '../blobs/pack-frames.ts';
import {framesWith} from '../blobs/shred-blob.ts';
import {sha256Hex} from '../system/sha256.ts';
import {mayHave} from './content-hashes.ts';
import {putAndCompare} from './move-to-archive.ts';

/** By hash, the refs that led to a copy. Rejects with KernelError LOG_UNAVAILABLE, LOG_CORRUPT. */
export async function shredArchived(
  folder: string,
  hashes: ReadonlySet<string>,
  store: ArchiveStore | undefined,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const refs = new Map<string, string[]>();
  for (const name of listArchived(folder)) {
    const file = readArchived(folder, name);
    if (file === undefined) continue;
    const kept = await deleteSuperseded(folder, file, store);
    if (kept.key === undefined || !(hashes.has(name) || (name.startsWith('pack-') && mayHave(folder, name, hashes)))) {
      continue;
    }
    for (const [hash, ref] of await shredIn(folder, kept, {hashes, store: needed(store, kept)})) {
      refs.set(hash, [...(refs.get(hash) ?? []), ref]);
    }
  }
  return refs;
}

interface Shredding {
  readonly hashes: ReadonlySet<string>;
  readonly store: ArchiveStore;
}

async function shredIn(
  folder: string,
  file: ArchivedFile,
  {hashes, store}: Shredding,
): Promise<readonly (readonly [string, string])[]> {
  const {name, key = ''} = file;
  const bytes = await store.get(key);
  if (bytes === undefined || sha256Hex(bytes) !== file.sha256) {
    const what = bytes === undefined ? 'does not contain' : 'contains something else as';
    throw new KernelError('LOG_CORRUPT', `the archive ${store.location} ${what} \`${key}\``);
  }
  const shredded = name.startsWith('pack-') ? await shredPack(bytes, name, hashes) : shredFile(bytes, name, hashes);
  if (shredded === undefined) return [];
  const sha256 = sha256Hex(shredded.bytes);
  // A pack of which nothing is left needs no object: its contents are as missing as those that a rule deleted.
  const next = shredded.isEmpty ? undefined : `contents/${name}-${sha256}`;
  if (next !== undefined) await putAndCompare(store, next, shredded.bytes);
  const replaced = {...file, key: next, sha256, bytes: shredded.bytes.length, superseded: [key]};
  await writeArchived(folder, replaced);
  await deleteSuperseded(folder, replaced, store);
  return shredded.refs;
}

export interface Shredded {
  readonly bytes: Buffer;
  readonly isEmpty: boolean;
  readonly refs: readonly (readonly [string, string])[];
}

/** The pack with zeros instead of these contents; undefined if it has none of them. */
export async function shredPack(
  bytes: Buffer,
  pack: string,
  hashes: ReadonlySet<string>,
): Promise<Shredded | undefined> {
  const found = await framesWith(bytes, hashes);
  if (found.length === 0) return undefined;
  for (const {offset, length} of found) bytes.fill(0, offset, offset + length);
  const isEmpty = isShreddedPack(bytes);
  const refs = found.map(
    ({hash, offset, length}) => [hash, formatBlobRef({kind: 'packed', pack, offset, length})] as const,
  );
  return {bytes, isEmpty, refs};
}

function shredFile(bytes: Buffer, name: string, hashes: ReadonlySet<string>): Shredded | undefined {
  const hash = sha256Hex(bytes);
  if (hash !== name || !hashes.has(hash)) return undefined;
  return {bytes: Buffer.alloc(0), isEmpty: true, refs: [[hash, formatBlobRef({kind: 'file', hash})]]};
}

/** Objects that an interrupted shredding left. */
async function deleteSuperseded(
  folder: string,
  file: ArchivedFile,
  store: ArchiveStore | undefined,
): Promise<ArchivedFile> {
  const {superseded, ...kept} = file;
  if (superseded === undefined) return file;
  await removeRestored(folder, file.name);
  for (const key of superseded) await deleteForGood(needed(store, file), key);
  await writeArchived(folder, kept);
  return kept;
}

/** An archive that keeps what it was told to delete must not look redacted. The note still names the object, so repeating deletes it. */
async function deleteForGood(store: ArchiveStore, key: string): Promise<void> {
  await store.delete(key);
  if ((await store.get(key)) === undefined) return;
  throw new KernelError(
    'LOG_UNAVAILABLE',
    `the archive ${store.location} still contains \`${key}\` after its deletion: repeat this when it deletes objects`,
  );
}

function needed(store: ArchiveStore | undefined, {name, archive}: ArchivedFile): ArchiveStore {
  if (store !== undefined) return store;
  throw new KernelError(
    'LOG_UNAVAILABLE',
    `the contents in \`${name}\` are in the archive ${archive}: set \`archive\` in workspace.yaml`,
  );
}
