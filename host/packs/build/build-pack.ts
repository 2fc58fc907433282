// Returns a pack's build: from the cache if none of its files has changed, otherwise rebuilt.
import type {Problem} from '@lumenflow/kernel';
import {dirname} from 'node:path';
import {buildFolder, readBuild, writeBuild, type CachedBuild} from './build-cache.ts';
import type {BundleRequest} from '../bundle/bundle-request.ts';
import {hashPack, isBuiltCode} from '../files/hash-pack.ts';
import {sha256} from '../files/hash-each.ts';
import {markInUse, pruneBuilds} from './prune-builds.ts';

/** Part of every key. Increase it to invalidate builds of older hosts. */
const buildFormat = 3;

export interface BuildSettings {
  readonly cacheFolder: string;
  readonly lumenflowVersion: string;
}

export type BuiltPack =
  | {
      readonly build: CachedBuild;
      /** `sha256:<hex>` over the pack's files and its dependencies'. */
      readonly integrity: string;
      readonly problems: readonly Problem[];
    }
  | {readonly build?: undefined; readonly integrity?: undefined; readonly problems: readonly Problem[]};

export async function buildPack(request: BundleRequest, settings: BuildSettings): Promise<BuiltPack> {
  const own = [...request.files.hashes].map(([path, hash]) => ({path, sha256: hash}));
  const key = sha256(JSON.stringify([buildFormat, settings.lumenflowVersion, request.files.root, hashPack(own)]));
  const folder = buildFolder(settings.cacheFolder, key);
  await markInUse(folder);
  const cached = await readBuild(folder);
  const fresh = cached ? undefined : await makeBuild(request, folder);
  const build = cached ?? fresh?.build;
  if (!build) return {problems: fresh?.problems ?? []};
  const reached = new Set(build.record.reachedBuiltCode);
  const loadable = own.filter(({path}) => !isBuiltCode(path) || reached.has(path));
  const integrity = hashPack([...loadable, ...build.record.outside.filter(({counted}) => counted)]);
  return {build, integrity, problems: build.record.warnings};
}

async function makeBuild(
  request: BundleRequest,
  folder: string,
): Promise<{build?: CachedBuild; problems: readonly Problem[]}> {
  // esbuild is loaded only for the first pack that is not in the cache.
  const {bundlePack} = await import('../bundle/bundle-pack.ts');
  const {outputs, modules, reachedBuiltCode, outside, counted, problems} = await bundlePack(request, folder);
  if (problems.some(({severity}) => severity === 'error')) return {problems};
  const inIntegrity = new Set(counted);
  try {
    const build = await writeBuild(folder, outputs, {
      modules,
      reachedBuiltCode,
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
