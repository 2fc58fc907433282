// Creates a cache folder atomically: fills a temporary folder beside it and renames it.
import type {Outcome} from '@lumenflow/kernel';
import {chmod, mkdir, mkdtemp, rename, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {FetchedPack, FetchProblem} from './install-context.ts';

/** `fill` returns the final path of the filled folder, or the error that kept it from being filled. */
export async function stageFolder(
  parent: string,
  fill: (staging: string) => Promise<Outcome<FetchedPack, FetchProblem>>,
): Promise<Outcome<FetchedPack, FetchProblem>> {
  await mkdir(parent, {recursive: true});
  const staging = await mkdtemp(join(parent, '.fetching-'));
  try {
    const filled = await fill(staging);
    if (!filled.ok) return filled;
    const {folder} = filled.value;
    // Readable for the unprivileged user of the sandbox.
    await chmod(staging, 0o755);
    await mkdir(dirname(folder), {recursive: true});
    // The existing folder was damaged, or is identical.
    await rm(folder, {recursive: true, force: true});
    await rename(staging, folder);
    return filled;
  } finally {
    await rm(staging, {recursive: true, force: true});
  }
}
