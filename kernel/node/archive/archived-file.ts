// What remains of an archived file in its folder: a note `archived/<name>` that names the object and its hash. Restored copies are in
// `restored/<name>`, and can be deleted at any time.
import {KernelError} from '@lumenflow/kernel';
import {existsSync, mkdirSync, readdirSync, readFileSync} from 'node:fs';
import {open, readdir, rename, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {createFile} from '../system/create-file.ts';
import {sha256Hex} from '../system/sha256.ts';

export interface ArchivedFile {
  /** The name of the file in its folder. */
  readonly name: string;
  /** For people. */
  readonly archive: string;
  /** Undefined if everything in it was deleted. */
  readonly key?: string | undefined;
  readonly sha256: string;
  readonly bytes: number;
  /** Of a segment: its last line. */
  readonly last_seq?: number;
  /** Of a segment: the SHA-256 of its last line. */
  readonly head?: string;
  /** Objects that must be deleted: they contain what was redacted. */
  readonly superseded?: readonly string[];
}

const notesIn = (folder: string): string => join(folder, 'archived');

export function archivedNotePath(folder: string, name: string): string {
  return join(notesIn(folder), `${name}.json`);
}

/** The hash distinguishes the copy from one of an object that was replaced. */
export function restoredPath(folder: string, {name, sha256}: Pick<ArchivedFile, 'name' | 'sha256'>): string {
  return join(folder, 'restored', `${name}-${sha256.slice(0, 16)}`);
}

/** Deletes the copies of one file, which may contain what was redacted. */
export async function removeRestored(folder: string, name: string): Promise<void> {
  const copies = await readdir(join(folder, 'restored')).catch(undefinedIfMissing);
  for (const copy of copies ?? [])
    if (copy.startsWith(`${name}-`)) await rm(join(folder, 'restored', copy), {force: true});
}

/** Undefined if no such file was archived. Throws KernelError LOG_CORRUPT if the note is damaged. */
export function readArchived(folder: string, name: string): ArchivedFile | undefined {
  const path = archivedNotePath(folder, name);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return undefinedIfMissing(error);
  }
  const file = parse(text);
  if (file?.name === name) return file;
  throw new KernelError('LOG_CORRUPT', `\`${path}\` is not a note of an archived file: restore it from a backup`);
}

/** The same, for an append that asks after its lines are written: it opens no file that is not there, because that can fail. */
export function lookForArchived(folder: string, name: string): ArchivedFile | undefined {
  return existsSync(archivedNotePath(folder, name)) ? readArchived(folder, name) : undefined;
}

/** Names in a folder that were archived, in order. */
export function listArchived(folder: string): readonly string[] {
  try {
    const notes = readdirSync(notesIn(folder)).filter((name) => name.endsWith('.json'));
    return notes.map((name) => name.slice(0, -'.json'.length)).toSorted((a, b) => (a < b ? -1 : 1));
  } catch (error) {
    return undefinedIfMissing(error) ?? [];
  }
}

/** Durable when it resolves. Replaces an older note. */
export async function writeArchived(folder: string, file: ArchivedFile): Promise<void> {
  mkdirSync(notesIn(folder), {recursive: true, mode: 0o700});
  const path = archivedNotePath(folder, file.name);
  const next = `${path}.next`;
  await rm(next, {force: true});
  await createFile(next, formatNote(file));
  await rename(next, path);
  const notes = await open(notesIn(folder), 'r');
  try {
    await notes.sync();
  } finally {
    await notes.close();
  }
}

/** With its own hash: the log continues after what a note says, so one that changed on disk must not be used. */
function formatNote(file: ArchivedFile): string {
  return `${JSON.stringify({...file, check: sha256Hex(JSON.stringify(file))})}\n`;
}

function parse(text: string): ArchivedFile | undefined {
  try {
    const {check, ...file} = JSON.parse(text) as Partial<ArchivedFile> & {readonly check?: unknown};
    const {name, archive, sha256, bytes, ...rest} = file;
    if (check !== sha256Hex(JSON.stringify(file))) return undefined;
    if (typeof name !== 'string' || typeof archive !== 'string') return undefined;
    if (typeof sha256 !== 'string' || typeof bytes !== 'number') return undefined;
    return {name, archive, sha256, bytes, ...rest};
  } catch {
    // The caller reports it.
    return undefined;
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  throw error;
}
