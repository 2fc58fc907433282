// Derives a pin from a folder's manifest, for a pack in development.
import {ok, type Outcome, type Problem} from '@lumenflow/kernel';
import type {PackManifest, PackPin} from '@lumenflow/schemas';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {readManifestFiles} from './read-manifest-files.ts';

export interface PinOfFolder {
  readonly pin: PackPin;
  readonly manifest: PackManifest;
}

/** `path` is the folder's path in the pin; `cacheFolder` caches parsed files. Rejects when there is no manifest.yaml. */
export async function pinOfFolder(
  folder: string,
  path: string,
  cacheFolder?: string,
): Promise<Outcome<PinOfFolder, readonly Problem[]>> {
  const text = await readFile(join(folder, 'manifest.yaml'), 'utf8');
  const whole = await readManifestFiles(text, {
    display: (file) => join(folder, file),
    read: async (file) => await readText(join(folder, file)),
    cacheFolder,
  });
  if (!whole.ok) return whole;
  const {manifest} = whole.value;
  const {id, version} = manifest;
  return ok({manifest, pin: {id, version, integrity: 'dev', source: 'local', path}});
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
