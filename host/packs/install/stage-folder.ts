// Creates a cache folder atomically: fills a temporary folder beside it and renames it.
import {chmod, mkdir, mkdtemp, rename, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {FetchedPack, FetchFailure} from './install-context.ts';

/** `fill` returns the final path of the filled folder, or the error that kept it from being filled. */
export async function stageFolder(
  parent: string,
  fill: (staging: string) => Promise<FetchedPack | FetchFailure>,
): Promise<FetchedPack | FetchFailure> {
  await mkdir(parent, {recursive: true});
  const staging = await mkdtemp(join(parent, '.fetching-'));
  try {
    const filled = await fill(staging);
    if (!('folder' in filled)) return filled;
    // Readable for the unprivileged user of the sandbox.
    await chmod(staging, 0o755);
    await mkdir(dirname(filled.folder), {recursive: true});
    // The existing folder was damaged, or is identical.
    await rm(filled.folder, {recursive: true, force: true});
    await rename(staging, filled.folder);
    return filled;
  } finally {
    await rm(staging, {recursive: true, force: true});
  }
}
