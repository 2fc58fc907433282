// Cached builds of packs, in one folder for each key. A cached build is used only when every output still has its hash and no
// file outside of the pack that it contains has changed.
import {chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Problem} from '@lumenflow/kernel';
import type {OutsideFile} from '../bundle/outside-files.ts';
import {hashEach, sha256} from '../files/hash-each.ts';

export interface BuildRecord {
  /** Names of outputs by the handler's file. */
  readonly modules: Readonly<Record<string, string>>;
  /** Hashes of the outputs by their name. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Files of the pack that an entry reaches, relative to the pack: part of its integrity. */
  readonly reached: readonly string[];
  /** Files of the pack that npm does not ship. */
  readonly leftOut: readonly string[];
  /** `counted`: part of the pack's integrity. */
  readonly outside: readonly (OutsideFile & {readonly counted: boolean})[];
  /** Warnings from the build; a build with errors is not cached. */
  readonly warnings: readonly Problem[];
}

export interface CachedBuild {
  /** Absolute folder of the outputs. */
  readonly folder: string;
  readonly record: BuildRecord;
  /** Checks that passed for exactly these files; see noteSound. */
  readonly sound: ReadonlySet<string>;
}

const recordName = 'build.json';
const soundPrefix = 'sound.';

export function buildFolder(cacheFolder: string, key: string): string {
  return join(cacheFolder, 'packs', key);
}

export async function readBuild(folder: string): Promise<CachedBuild | undefined> {
  const record = await readRecord(folder);
  if (!record || !(await isIntact(folder, record))) return undefined;
  const notes = (await readdir(folder)).filter((name) => name.startsWith(soundPrefix));
  return {folder, record, sound: new Set(notes.map((name) => name.slice(soundPrefix.length)))};
}

async function isIntact(folder: string, {outputs, outside}: BuildRecord): Promise<boolean> {
  const expected = new Map([
    ...Object.entries(outputs),
    ...outside.map(({file, sha256: hash}) => [file, hash] as const),
  ]);
  try {
    for await (const {path, sha256: hash} of hashEach(folder, expected.keys())) {
      if (hash !== expected.get(path)) return false;
    }
    return true;
  } catch {
    // A file is missing or unreadable: rebuild, and report the error when writing.
    return false;
  }
}

/** Writes to a temporary folder and renames it, so that no reader sees an incomplete build. The first of several writers wins. */
export async function writeBuild(
  folder: string,
  outputs: ReadonlyMap<string, Uint8Array>,
  rest: Omit<BuildRecord, 'outputs'>,
): Promise<CachedBuild> {
  const hashes = Object.fromEntries([...outputs].map(([name, content]) => [name, sha256(content)]));
  const record: BuildRecord = {...rest, outputs: hashes};
  await mkdir(join(folder, '..'), {recursive: true});
  const staging = await mkdtemp(join(folder, '..', '.building-'));
  try {
    // Readable for the unprivileged user of the sandbox.
    await chmod(staging, 0o755);
    for (const [name, content] of outputs) await writeFile(join(staging, name), content, {mode: 0o444});
    await writeFile(join(staging, recordName), JSON.stringify(record), {mode: 0o444});
    await moveInto(staging, folder);
  } finally {
    await rm(staging, {recursive: true, force: true});
  }
  return {folder, record, sound: new Set()};
}

/** `what` is a file name. Later readers of the same build can skip the check. */
export async function noteSound({folder}: CachedBuild, what: string): Promise<void> {
  try {
    await writeFile(join(folder, soundPrefix + what), '');
  } catch {
    // This user cannot write to the cache, so the build is checked each time.
  }
}

async function moveInto(staging: string, folder: string): Promise<void> {
  try {
    await rename(staging, folder);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    // Another process wrote the same build first, or the existing folder is damaged and is removed.
    if (await readBuild(folder)) return;
    await rm(folder, {recursive: true, force: true});
    await rename(staging, folder);
  }
}

async function readRecord(folder: string): Promise<BuildRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, recordName), 'utf8')) as BuildRecord;
  } catch {
    // Missing, incomplete or unreadable: rebuild.
    return undefined;
  }
}
