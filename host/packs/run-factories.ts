// A pack's rules from its manifest and its policy_factory, each with its position.
import type {Problem} from '@lumenflow/kernel';
import type {LocatedRule} from '@lumenflow/kernel/adapters';
import {join} from 'node:path';
import {factoryModuleName, type FactoryName} from '../isolate/factory-module.ts';
import {loadFactories, type FactoriesRequest, type LoadedFactories} from '../isolate/load-factories.ts';
import type {CachedBuild} from './build/build-cache.ts';
import type {PackContents} from './pack-contents.ts';
import type {ReadManifest} from './manifest/read-manifest.ts';

/** Present for a pack with factories. */
export async function runFactories(
  {read: {manifest}}: PackContents,
  build: CachedBuild,
  {config, engine}: Pick<FactoriesRequest, 'config' | 'engine'>,
): Promise<LoadedFactories> {
  return await loadFactories({file: join(build.folder, factoryModuleName), manifest, config, engine});
}

export function factoryProblems({read}: PackContents, factories: LoadedFactories | undefined): readonly Problem[] {
  return (factories?.faults ?? []).map(({factory, message}: {factory: FactoryName; message: string}) => ({
    code: 'PACK_FACTORY_FAILED',
    severity: 'error',
    message: `the ${factory} \`${read.manifest[factory] ?? ''}\` failed: ${message}`,
    where: read.locate(`/${factory}`),
    pointer: `/${factory}`,
  }));
}

export function locateRules(
  {manifest, locate}: ReadManifest,
  factories: LoadedFactories | undefined,
): readonly LocatedRule[] {
  const written = (manifest.policies ?? []).map((rule, index): LocatedRule => ({
    rule,
    where: locate(`/policies/${index}`),
    locate: (pointer) => locate(`/policies/${index}${pointer}`),
  }));
  return [...written, ...(factories?.rules ?? []).map((rule) => ({rule, where: locate('/policy_factory')}))];
}
