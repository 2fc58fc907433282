// Loads one pack, step by step; each step adds its problems, and only what the next step cannot do without stops it.
import type {LoadedPack, PackRequest, PlacedRule, Problem} from '@lumenflow/kernel';
import type {SchemaCompiler} from '@lumenflow/kernel/node';
import type {PackManifest, PackPin} from '@lumenflow/schemas';
import {isAbsolute, join, relative} from 'node:path';
import type {FactoryName} from '../isolate/factory-module.ts';
import {loadFactories, type LoadedFactories} from '../isolate/load-factories.ts';
import {applyCapabilities} from './apply-capabilities.ts';
import {noteSoundSchemas, type CachedBuild} from './build-cache.ts';
import {buildPack} from './build-pack.ts';
import type {BundleRequest, PackEntry} from './bundle-request.ts';
import {checkConfig} from './check-config.ts';
import {readDependencies} from './read-dependencies.ts';
import {loadTools} from './load-tools.ts';
import {PackFileError, readPackFiles, type PackFiles} from './pack-files.ts';
import {entryPath, readManifest, type ReadManifest} from './read-manifest.ts';
import {resolvePack} from './resolve-pack.ts';

export interface PackLoader {
  /** Absolute. */
  readonly workspaceRoot: string;
  /** Absolute; tools must not be able to write there. */
  readonly cacheFolder: string;
  readonly lumenflowVersion: string;
  readonly compiler: SchemaCompiler;
}

export interface PackLoad {
  /** Present when there is no problem of severity error. */
  readonly pack?: LoadedPack;
  /** Present as soon as it could be read. */
  readonly manifest?: PackManifest;
  /** `file:line:column` of a JSON pointer into the manifest, when there is one. */
  readonly locate?: (pointer: string) => string;
  /** Also of a pin of another hash. */
  readonly integrity?: string;
  readonly problems: readonly Problem[];
  /** Ends what the pack keeps running. */
  end(): void;
}

export async function loadPack(
  pin: PackPin,
  pinPointer: string,
  request: Pick<PackRequest, 'configs' | 'locate'>,
  loader: PackLoader,
): Promise<PackLoad> {
  const pinWhere = request.locate(pinPointer);
  const root = await resolvePack(pin, loader);
  if (typeof root !== 'string') {
    return failed([{code: 'PACK_NOT_FOUND', severity: 'error', ...root, where: pinWhere, pointer: pinPointer}]);
  }
  const display = (path: string): string => displayPath(loader.workspaceRoot, root, path);
  try {
    const files = await readPackFiles(root);
    const read = await readManifest({pin, pinWhere, files, lumenflowVersion: loader.lumenflowVersion, display});
    if (!read.manifest) return failed(read.problems);
    return await loadContents({pin, pinPointer, files, display, read, request, loader});
  } catch (error) {
    return failed([fileProblem(error, display, root)]);
  }
}

interface PackContents {
  readonly pin: PackPin;
  readonly pinPointer: string;
  readonly files: PackFiles;
  readonly read: ReadManifest;
  readonly request: Pick<PackRequest, 'configs' | 'locate'>;
  readonly loader: PackLoader;
  display(path: string): string;
}

async function loadContents(contents: PackContents): Promise<PackLoad> {
  const {files, read, request, loader, display} = contents;
  const {manifest, locate} = read;
  const problems: Problem[] = [...read.problems];
  const checkedConfig = await checkConfig({
    manifest,
    files,
    configs: request.configs,
    compiler: loader.compiler,
    pinWhere: request.locate(contents.pinPointer),
    locateWorkspace: (pointer) => request.locate(pointer),
    locateManifest: locate,
    display,
  });
  problems.push(...checkedConfig.problems);
  const base = {manifest, locate, end: ignore};
  if (read.problems.some(({code}) => code.startsWith('PACK_ENTRY_'))) return {...base, problems};
  const declared = await readDependencies(files, display);
  if ('problem' in declared) return {...base, problems: [...problems, declared.problem]};
  const built = await buildPack(bundleRequest(contents, declared.names), loader);
  problems.push(...built.problems);
  if (!built.build) return {...base, problems};
  const {build, integrity} = built;
  problems.push(...checkIntegrity(contents, integrity));
  const loaded = await loadTools({
    declarations: manifest.tools,
    files,
    build,
    compiler: loader.compiler,
    locate,
  });
  problems.push(...loaded.problems);
  if (loaded.problems.length === 0 && !build.hasSoundSchemas) await noteSoundSchemas(build);
  // Code of a pack that is not what was pinned, or that failed otherwise, is not run.
  if (problems.some(isError)) return {...base, integrity, problems};
  const factories = await runFactories(contents, build, checkedConfig.config);
  problems.push(...factoryProblems(contents, factories));
  if (problems.some(isError)) {
    factories?.end();
    return {...base, integrity, problems};
  }
  const pack: LoadedPack = {
    pin: contents.pin,
    manifest,
    integrity,
    root: files.root,
    config: checkedConfig.config,
    tools: factories ? applyCapabilities(loaded.tools, factories.capabilities) : loaded.tools,
    rules: [...placeRules(read), ...placeFactoryRules(read, factories)],
    where: locate,
  };
  return {...base, pack, integrity, problems, end: () => factories?.end()};
}

/** Throws on what is no fault of the pack's files. */
function fileProblem(error: unknown, display: (path: string) => string, root: string): Problem {
  if (error instanceof PackFileError) {
    const message = `the pack cannot be loaded: \`${error.path}\` ${error.message}`;
    return {code: 'PACK_FILE_INVALID', severity: 'error', message, where: display(error.path)};
  }
  const {code, path} = error as NodeJS.ErrnoException;
  if (code === undefined || path === undefined) throw error;
  const message = `the pack cannot be read: ${code}`;
  return {code: 'PACK_FILE_INVALID', severity: 'error', message, where: display(relative(root, path))};
}

function bundleRequest({files, read, display}: PackContents, dependencies: ReadonlySet<string>): BundleRequest {
  const {manifest, locate} = read;
  const entry = (text: string, pointer: string, builtins: boolean): PackEntry => ({
    file: entryPath(text) ?? '',
    exportName: text.split('#')[1] ?? '',
    where: locate(pointer),
    builtins,
  });
  const factories = (['policy_factory', 'capability_factory'] as const).flatMap((as) => {
    const text = manifest[as];
    return text === undefined ? [] : [{...entry(text, `/${as}`, false), as}];
  });
  return {
    files,
    dependencies,
    handlers: manifest.tools.map((tool, index) =>
      entry(tool.handler_entry, `/tools/${index}/handler_entry`, tool.handler !== 'in_process'),
    ),
    factories,
    display,
  };
}

function checkIntegrity({pin, pinPointer, request}: PackContents, integrity: string): readonly Problem[] {
  if (pin.integrity === 'dev' || pin.integrity === integrity) return [];
  return [
    {
      code: 'PACK_INTEGRITY_MISMATCH',
      severity: 'error',
      message: `the files of the pack \`${pin.id}\` are not those that were pinned: they hash to ${integrity}, the pin says ${pin.integrity}`,
      where: request.locate(`${pinPointer}/integrity`),
      pointer: `${pinPointer}/integrity`,
      help: `find out what changed; if you want it, pin what \`lumenflow pack hash ${pin.id}\` prints`,
    },
  ];
}

async function runFactories(
  {pin, read}: PackContents,
  build: CachedBuild,
  config: unknown,
): Promise<LoadedFactories | undefined> {
  const {manifest} = read;
  if (manifest.policy_factory === undefined && manifest.capability_factory === undefined) return undefined;
  return await loadFactories({
    file: join(build.folder, 'factories.mjs'),
    manifest,
    config,
    trust: pin.trust ?? 'sandboxed',
  });
}

function factoryProblems({read}: PackContents, factories: LoadedFactories | undefined): readonly Problem[] {
  return (factories?.faults ?? []).map(({factory, message}: {factory: FactoryName; message: string}) => ({
    code: 'PACK_FACTORY_FAILED',
    severity: 'error',
    message: `the ${factory} \`${read.manifest[factory] ?? ''}\` failed: ${message}`,
    where: read.locate(`/${factory}`),
    pointer: `/${factory}`,
  }));
}

function placeRules({manifest, locate}: ReadManifest): readonly PlacedRule[] {
  return (manifest.policies ?? []).map((rule, index) => ({
    rule,
    where: locate(`/policies/${index}`),
    locate: (pointer) => locate(`/policies/${index}${pointer}`),
  }));
}

function placeFactoryRules({locate}: ReadManifest, factories: LoadedFactories | undefined): readonly PlacedRule[] {
  return (factories?.rules ?? []).map((rule) => ({rule, where: locate('/policy_factory')}));
}

/** Relative to the workspace where that is shorter to read, else absolute. */
function displayPath(workspaceRoot: string, root: string, path: string): string {
  const full = join(root, path);
  const inside = relative(workspaceRoot, full);
  return inside.startsWith('..') || isAbsolute(inside) ? full : inside;
}

function isError({severity}: Problem): boolean {
  return severity === 'error';
}

function failed(problems: readonly Problem[]): PackLoad {
  return {problems, end: ignore};
}

function ignore(): void {
  // Nothing keeps running.
}
