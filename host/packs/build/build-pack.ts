// Returns a pack's build: from the cache if none of its files has changed, otherwise rebuilt.
import type {Problem} from '@lumenflow/kernel';
import {dirname} from 'node:path';
import {buildFolder, readBuild, writeBuild, type CachedBuild} from './build-cache.ts';
import type {BundleRequest} from '../bundle/bundle-request.ts';
import {hashPack} from '../files/hash-pack.ts';
import {sha256} from '../files/hash-each.ts';
import {markInUse, pruneBuilds} from './prune-builds.ts';

/** Part of every key. Increase it to invalidate builds of older hosts. */
const buildFormat = 5;

export interface BuildSettings {
  readonly cacheFolder: string;
  readonly lumenflowVersion: string;
}

export interface BuiltPack {
  readonly build?: CachedBuild;
  readonly problems: readonly Problem[];
}

export async function buildPack(request: BundleRequest, settings: BuildSettings): Promise<BuiltPack> {
  const own = [...request.files.hashes].map(([path, hash]) => ({path, sha256: hash}));
  const key = sha256(JSON.stringify([buildFormat, settings.lumenflowVersion, request.files.root, hashPack(own)]));
  const folder = buildFolder(settings.cacheFolder, key);
  await markInUse(folder);
  const cached = await readBuild(folder);
  const fresh = cached ? undefined : await makeBuild(request, folder);
  const build = cached ?? fresh?.build;
  if (!build) return {problems: fresh?.problems ?? []};
  return {build, problems: build.record.warnings};
}

async function makeBuild(
  request: BundleRequest,
  folder: string,
): Promise<{build?: CachedBuild; problems: readonly Problem[]}> {
  // esbuild and npm's list are loaded only for the first pack that is not in the cache.
  const {bundlePack} = await import('../bundle/bundle-pack.ts');
  const {leftOutFiles} = await import('../files/left-out-files.ts');
  const [{outputs, modules, reached, outside, counted, problems}, leftOut] = await Promise.all([
    bundlePack(request, folder),
    leftOutFiles(request.files),
  ]);
  if (problems.some(({severity}) => severity === 'error')) return {problems};
  const inIntegrity = new Set(counted);
  try {
    const build = await writeBuild(folder, outputs, {
      modules,
      reached,
      leftOut,
      outside: outside.map((file) => ({...file, counted: inIntegrity.has(file)})),
      warnings: problems,
    });
    await markInUse(folder);
    // The cache grows only here. Failing to remove old builds does not prevent the use of the new one.
    await pruneBuilds(dirname(folder)).catch(() => undefined);
    return {build, problems};
  } catch (error) {
    const {code, message} = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const problem: Problem = {
      code: 'PACK_CACHE_UNAVAILABLE',
      severity: 'error',
      message: `the built pack cannot be stored: ${message}`,
      where: request.display('manifest.yaml'),
      help: 'make the folder writable, or name another cache folder',
    };
    return {problems: [problem]};
  }
}
