// Built packs, kept in a folder for each key. A build is taken from here only when every output still has its hash,
// and every file outside of the pack that went into it is unchanged.
import {chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Problem} from '@lumenflow/kernel';
import type {OutsideFile} from './outside-files.ts';
import {hashEach, sha256} from './hash-each.ts';

export interface BuildRecord {
  /** Names of outputs by the handler's file. */
  readonly modules: Readonly<Record<string, string>>;
  /** Hashes of the outputs by their name. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Code in built folders of the pack that an entry reaches, relative to the pack: part of its integrity. */
  readonly reachedBuiltCode: readonly string[];
  /** `counted`: part of the pack's integrity. */
  readonly outside: readonly (OutsideFile & {readonly counted: boolean})[];
  /** Found when it was built; a build with errors is not kept. */
  readonly warnings: readonly Problem[];
}

export interface CachedBuild {
  /** Absolute folder of the outputs. */
  readonly folder: string;
  readonly record: BuildRecord;
  /** What was found sound when it was checked against these very files; see noteSound. */
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
    // A file that is absent or unreadable: the build is made anew, and writing it reports what is wrong.
    return false;
  }
}

/** Writes beside and renames, so that no reader sees half a build; the first of several writers wins. */
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
    // Readable for the user that a sandbox drops to.
    await chmod(staging, 0o755);
    for (const [name, content] of outputs) await writeFile(join(staging, name), content, {mode: 0o444});
    await writeFile(join(staging, recordName), JSON.stringify(record), {mode: 0o444});
    await moveInto(staging, folder);
  } finally {
    await rm(staging, {recursive: true, force: true});
  }
  return {folder, record, sound: new Set()};
}

/** `what` is a file name: who reads this very build again need not check it again. */
export async function noteSound({folder}: CachedBuild, what: string): Promise<void> {
  try {
    await writeFile(join(folder, soundPrefix + what), '');
  } catch {
    // A cache that only others can write: it is checked each time.
  }
}

async function moveInto(staging: string, folder: string): Promise<void> {
  try {
    await rename(staging, folder);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    // Another process was first with the same build, or what lies there is damaged and goes.
    if (await readBuild(folder)) return;
    await rm(folder, {recursive: true, force: true});
    await rename(staging, folder);
  }
}

async function readRecord(folder: string): Promise<BuildRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, recordName), 'utf8')) as BuildRecord;
  } catch {
    // Absent, torn or unreadable alike: the build is made anew.
    return undefined;
  }
}
