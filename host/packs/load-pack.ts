// Loads one pack, step by step; each step adds its problems, and only what the next step cannot do without stops it.
import type {LoadedPack, PackRequest, Problem} from '@lumenflow/kernel';
import type {PackManifest, PackPin} from '@lumenflow/schemas';
import {isAbsolute, join, relative} from 'node:path';
import {applyCapabilities} from './apply-capabilities.ts';
import {noteSoundSchemas} from './build-cache.ts';
import {buildContents} from './build-contents.ts';
import {checkConfig} from './check-config.ts';
import {factoryProblems, placeRules, runFactories} from './load-rules.ts';
import {loadTools} from './load-tools.ts';
import type {PackContents, PackLoader} from './pack-contents.ts';
import {PackFileError, readPackFiles} from './pack-files.ts';
import {readManifest} from './read-manifest.ts';
import {resolvePack} from './resolve-pack.ts';

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

async function loadContents(contents: PackContents): Promise<PackLoad> {
  const {manifest, locate} = contents.read;
  const {build, integrity, problems: buildProblems} = await buildContents(contents);
  const areSchemasSound = build?.hasSoundSchemas === true;
  const {config, problems: configProblems} = await checkConfig(contents, areSchemasSound);
  const {tools, problems: toolProblems} = await loadTools(contents, build);
  const problems = [...contents.read.problems, ...buildProblems, ...configProblems, ...toolProblems];
  const load = {manifest, locate, problems, end: ignore, ...(integrity === undefined ? {} : {integrity})};
  if (!build || integrity === undefined) return load;
  if (!areSchemasSound && !problems.some(({code}) => code === 'PACK_SCHEMA_INVALID')) await noteSoundSchemas(build);
  // Code of a pack that is not what was pinned, or that failed otherwise, is not run.
  if (problems.some(isError)) return load;
  const factories = config === undefined ? undefined : await runFactories(contents, build, config);
  const faults = factoryProblems(contents, factories);
  if (faults.length > 0) {
    factories?.end();
    return {...load, problems: [...problems, ...faults]};
  }
  const pack: LoadedPack = {
    pin: contents.pin,
    manifest,
    integrity,
    root: contents.files.root,
    config,
    tools: factories ? applyCapabilities(tools, factories.capabilities) : tools,
    rules: placeRules(contents.read, factories),
    where: locate,
  };
  return {...load, pack, end: () => factories?.end()};
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
