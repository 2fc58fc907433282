// Keeps the generated tools of a pack in development in step with its code: they are generated again when a file of the pack changed.
import type {Problem} from '@lumenflow/kernel';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {isManifestGenerated, manifestFromCode, type ManifestFromCode} from '../../definitions/manifest-from-code.ts';
import {hashPack} from '../../packs/files/hash-pack.ts';
import {readPackFiles} from '../../packs/files/pack-files.ts';
import {generatedFile} from '../../packs/manifest/generated-file.ts';

export interface ManifestUpdate {
  /** The tools whose entries were written. */
  readonly written: readonly string[];
  /** Positions are relative to the pack. */
  readonly problems: readonly Problem[];
}

const nothing: ManifestFromCode = {stale: [], problems: []};

/** `folder` is the pack's: absolute, without symlinks. */
export function createManifestUpdater(folder: string): () => Promise<ManifestUpdate> {
  let seen: string | undefined;
  let problems: readonly Problem[] = [];
  return async () => {
    const found = await fingerprint(folder);
    if (found !== undefined && found === seen) return {written: [], problems};
    const isGenerated = await isManifestGenerated(folder);
    const {stale, problems: faults} = isGenerated ? await manifestFromCode(folder) : nothing;
    for (const {path, text} of stale) await writeFile(join(folder, path), text);
    // Entries that were written in other files change the fingerprint.
    [seen, problems] = [stale.some(({path}) => path !== generatedFile) ? undefined : found, faults];
    return {written: stale.flatMap(({changed}) => changed), problems};
  };
}

/** Undefined if a file cannot be read, which loading the pack reports. */
async function fingerprint(folder: string): Promise<string | undefined> {
  const {hashes} = await readPackFiles(folder).catch(() => ({hashes: undefined}));
  if (hashes === undefined) return undefined;
  const own = [...hashes].filter(([path]) => path !== generatedFile);
  return hashPack(own.map(([path, sha256]) => ({path, sha256})));
}
