// Makes a folder of the cache whole or not at all: it is filled beside its place and moved there.
import {chmod, mkdir, mkdtemp, rename, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {FetchedPack, FetchFailure} from './install-context.ts';

/** `fill` gives the place that the filled folder goes to, or what kept it from being filled. */
export async function stageFolder(
  parent: string,
  fill: (staging: string) => Promise<FetchedPack | FetchFailure>,
): Promise<FetchedPack | FetchFailure> {
  await mkdir(parent, {recursive: true});
  const staging = await mkdtemp(join(parent, '.fetching-'));
  try {
    const filled = await fill(staging);
    if (!('folder' in filled)) return filled;
    // Readable for the user that a sandbox drops to.
    await chmod(staging, 0o755);
    await mkdir(dirname(filled.folder), {recursive: true});
    // What lay there was damaged, or is the same.
    await rm(filled.folder, {recursive: true, force: true});
    await rename(staging, filled.folder);
    return filled;
  } finally {
    await rm(staging, {recursive: true, force: true});
  }
}
