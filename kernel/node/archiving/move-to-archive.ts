// Moves one file to the archive. It is removed only after it was read back from there, and after its note is on disk; so an archiving
// that is interrupted at any step loses nothing, and is completed by the next one.
import {KernelError} from '@lumenflow/kernel';
import {open, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {writeArchived, type ArchivedFile} from '../archive/archived-file.ts';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {sha256Hex} from '../system/sha256.ts';

/** Called before each step; tests end the process there. */
export type OnStep = (step: string) => void;

export interface Move extends Pick<ArchivedFile, 'name' | 'last_seq' | 'head'> {
  readonly folder: string;
  readonly bytes: Buffer;
  /** The SHA-256 of the bytes completes it. */
  readonly keyBefore: string;
  readonly keyAfter?: string;
}

/** Resolves with the key of the object. `record` is called once the object is safe, before the file is removed. */
export async function moveToArchive(
  {folder, name, bytes, keyBefore, keyAfter = '', last_seq, head}: Move,
  {store, onStep, record}: {readonly store: ArchiveStore; readonly onStep: OnStep; record(key: string): Promise<void>},
): Promise<string> {
  const sha256 = sha256Hex(bytes);
  const key = `${keyBefore}-${sha256}${keyAfter}`;
  onStep(`put ${key}`);
  await putAndCompare(store, key, bytes);
  onStep(`record ${key}`);
  await record(key);
  onStep(`note ${key}`);
  const segment = {...(last_seq !== undefined && {last_seq}), ...(head !== undefined && {head})};
  await writeArchived(folder, {name, archive: store.location, key, sha256, bytes: bytes.length, ...segment});
  onStep(`remove ${key}`);
  await rm(join(folder, name), {force: true});
  await syncNames(folder);
  return key;
}

/** Rejects with KernelError LOG_CORRUPT if the archive returns something else than it was given. */
export async function putAndCompare(store: ArchiveStore, key: string, bytes: Buffer): Promise<void> {
  await store.put(key, bytes);
  const stored = await store.get(key);
  if (stored?.equals(bytes) === true) return;
  const what = stored === undefined ? 'does not contain' : 'contains something else as';
  throw new KernelError('LOG_CORRUPT', `the archive ${store.location} ${what} \`${key}\`: nothing was removed`);
}

async function syncNames(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
