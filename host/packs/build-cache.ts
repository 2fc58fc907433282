// Built packs, kept in a folder for each key. A build is taken from here only when every output still has its hash,
// and every file outside of the pack that went into it is unchanged.
import {chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Problem} from '@lumenflow/kernel';
import type {OutsideFile} from './outside-files.ts';
import {sha256} from './pack-files.ts';

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
  /** Whether the pack's schemas were found sound when they were compiled from these very files. */
  readonly hasSoundSchemas: boolean;
}

const recordName = 'build.json';
const soundSchemasName = 'schemas-sound';

export function buildFolder(cacheFolder: string, key: string): string {
  return join(cacheFolder, 'packs', key);
}

export async function readBuild(folder: string): Promise<CachedBuild | undefined> {
  const text = await readIfThere(join(folder, recordName));
  const record = text && parseRecord(new TextDecoder().decode(text));
  if (!record) return undefined;
  const expected = [
    ...Object.entries(record.outputs).map(([name, hash]) => [join(folder, name), hash] as const),
    ...record.outside.map((outside) => [outside.file, outside.sha256] as const),
  ];
  const intact = await Promise.all(
    expected.map(async ([file, hash]) => {
      const content = await readIfThere(file);
      return content !== undefined && sha256(content) === hash;
    }),
  );
  if (!intact.every(Boolean)) return undefined;
  return {folder, record, hasSoundSchemas: (await readIfThere(join(folder, soundSchemasName))) !== undefined};
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
  return {folder, record, hasSoundSchemas: false};
}

export async function noteSoundSchemas({folder}: CachedBuild): Promise<void> {
  await writeFile(join(folder, soundSchemasName), '');
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

function parseRecord(text: string): BuildRecord | undefined {
  try {
    return JSON.parse(text) as BuildRecord;
  } catch {
    // A torn record: the build is made anew.
    return undefined;
  }
}

async function readIfThere(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file);
  } catch {
    // Absent or unreadable alike: the build is made anew, and writing it reports what is wrong.
    return undefined;
  }
}
