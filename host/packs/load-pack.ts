// Loads one pack step by step. Each step adds its problems; loading stops only if the next step cannot run.
import type {LoadedPack, Problem} from '@lumenflow/kernel';
import type {PackManifest, PackPin, ToolTerms} from '@lumenflow/schemas';
import {realpath} from 'node:fs/promises';
import {isAbsolute, join, relative} from 'node:path';
import {startEngine, type IsolateEngine} from '../isolate/start-engine.ts';
import {applyCapabilities} from './apply-capabilities.ts';
import {noteSound} from './build/build-cache.ts';
import {buildContents} from './build-contents.ts';
import {checkConfig} from './check-config.ts';
import {checkInstalled} from './check-installed.ts';
import {wasmCapabilityProblems} from './check-wasm-tool.ts';
import {factoryProblems, locateRules, runFactories} from './run-factories.ts';
import {hashFiles} from './files/hash-pack.ts';
import {judgeIntegrity, type PackShipping} from './judge-integrity.ts';
import {loadTools} from './load-tools.ts';
import {refusalsOf, reviewProblems, reviewTools, type ToolReview} from './lock/review-tools.ts';
import type {PackContents, PackLoader, PackSurroundings} from './pack-contents.ts';
import {noteReads, PackFileError, readPackFiles} from './files/pack-files.ts';
import {locateInPin} from './manifest/locate-in-pin.ts';
import {readManifest} from './manifest/read-manifest.ts';
import {readSignature} from './read-signature.ts';
import {resolvePack} from './resolve-pack.ts';
import type {SignatureFinding} from './signing/pack-signature.ts';
import {whyNotImportable} from './why-not-importable.ts';

export interface PackLoad {
  /** Present when there is no problem of severity error. */
  readonly pack?: LoadedPack;
  /** Present as soon as it could be read. */
  readonly manifest?: PackManifest;
  /** `file:line:column` of a JSON pointer into the manifest, when there is one. */
  readonly locate?: (pointer: string) => string;
  /** Present even if the pin has another hash. */
  readonly integrity?: string;
  /** Present with the integrity. */
  readonly shipping?: PackShipping;
  /** Absolute; present as soon as it is known. */
  readonly root?: string;
  /** Hash of all files; present as soon as they could be read. */
  readonly files?: string;
  /** Whether the files are those that `pack install` fetched. */
  readonly isInstalled?: boolean;
  readonly signature?: SignatureFinding;
  /** Present if the pack's tools could be loaded. */
  readonly review?: ToolReview;
  /** By the tool's name. */
  readonly terms?: ReadonlyMap<string, ToolTerms>;
  readonly problems: readonly Problem[];
  /** Stops everything that the pack keeps running. */
  end(): void;
}

export async function loadPack(
  pin: PackPin,
  pinPointer: string,
  request: PackSurroundings,
  loader: PackLoader,
): Promise<PackLoad> {
  const pinWhere = request.locate(pinPointer);
  const resolved = await resolvePack(pin, {...loader, lock: request.lock});
  const place = {severity: 'error', where: pinWhere, pointer: pinPointer} as const;
  if (!resolved.ok) return notLoaded([{code: 'PACK_NOT_FOUND', ...resolved.problem, ...place}]);
  const {root, installed, runtimePaths, serverTools} = resolved.value;
  const locate = serverTools && locateInPin({pin, pinPointer, locate: request.locate}, serverTools);
  const display = (path: string): string => displayPath(loader.workspaceRoot, root, path);
  try {
    const barred = whyNotImportable([await realpath(root), loader.cacheFolder]);
    if (barred !== undefined) return notLoaded([{code: 'PACK_FILE_INVALID', ...barred, ...place}]);
    const files = await readPackFiles(root);
    const reads = new Set<string>();
    const declared = noteReads(files, reads);
    const read = await readManifest({...loader, pin, pinWhere, files: declared, display, ...(locate && {locate})});
    if (!read.ok) return notLoaded(read.problem);
    const hash = hashFiles(files);
    const changed = checkInstalled({pin, pinPointer, request}, installed, hash);
    if (changed.length > 0) return {...notLoaded(changed), root, files: hash};
    const contents = {pin, pinPointer, files, declared, reads, display, read: read.value, request, loader};
    const load = await loadContents(contents, runtimePaths);
    return {...load, root: files.root, files: hash, isInstalled: installed !== undefined};
  } catch (error) {
    return notLoaded([fileProblem(error, display, root)]);
  }
}

/** The engine for factories starts while the pack is checked; it receives their code only after all checks pass. */
async function loadContents(contents: PackContents, runtimePaths: readonly string[] = []): Promise<PackLoad> {
  const {policy_factory: policies, capability_factory: capabilities} = contents.read.manifest;
  const engine = policies === undefined && capabilities === undefined ? undefined : startEngine();
  try {
    return await checkAndLoad(contents, {runtimePaths, engine});
  } finally {
    engine?.end();
  }
}

interface LoadMeans {
  readonly runtimePaths: readonly string[];
  /** Present for a pack with factories. */
  readonly engine: IsolateEngine | undefined;
}

async function checkAndLoad(contents: PackContents, {runtimePaths, engine}: LoadMeans): Promise<PackLoad> {
  const {manifest, locate} = contents.read;
  const {build, problems: buildProblems} = await buildContents(contents);
  const {config, problems: configProblems} = await checkConfig(contents, build);
  const {tools, terms, problems: toolProblems} = await loadTools(contents, build);
  const found = [...contents.read.problems, ...buildProblems, ...configProblems, ...toolProblems];
  if (!build) return {manifest, locate, problems: found, end: ignore};
  const {integrity, shipping, problems: integrityFaults} = judgeIntegrity(contents, build);
  const {signature, problems: signatureFaults} = await readSignature(contents, integrity);
  const reviewed = {pin: contents.pin, terms, lock: contents.request.lock, security: contents.request.security};
  const review = reviewTools(reviewed);
  const whereOf = (tool: string): string => tools.find(({declaration}) => declaration.name === tool)?.where ?? '';
  const problems = [...found, ...integrityFaults, ...signatureFaults, ...reviewProblems(review, contents.pin, whereOf)];
  const load = {manifest, locate, integrity, shipping, signature, review, terms, problems, end: ignore};
  if (!build.sound.has('tools') && toolProblems.length === 0) await noteSound(build, 'tools');
  // Code of a pack that does not match its pin, or that has other errors, does not run.
  if (problems.some(isError)) return load;
  const factories = config === undefined || !engine ? undefined : await runFactories(contents, build, {config, engine});
  const faults = factoryProblems(contents, factories);
  if (faults.length > 0) {
    factories?.end();
    return {...load, problems: [...problems, ...faults]};
  }
  const capable = factories ? applyCapabilities(tools, factories.capabilities, contents.loader.env) : tools;
  const unmet = wasmCapabilityProblems(contents, capable);
  if (unmet.length > 0) {
    factories?.end();
    return {...load, problems: [...problems, ...unmet]};
  }
  const pack: LoadedPack = {
    pin: contents.pin,
    manifest,
    integrity,
    root: contents.files.root,
    runtime_paths: runtimePaths,
    config,
    tools: capable,
    rules: [...locateRules(contents.read, factories), ...refusalsOf(review, reviewed)],
    where: locate,
  };
  return {...load, pack, end: () => factories?.end()};
}

/** Throws for errors that the pack's files did not cause. */
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

/** Relative to the workspace if that is shorter, otherwise absolute. */
function displayPath(workspaceRoot: string, root: string, path: string): string {
  const full = join(root, path);
  const inside = relative(workspaceRoot, full);
  return inside.startsWith('..') || isAbsolute(inside) ? full : inside;
}

function isError({severity}: Problem): boolean {
  return severity === 'error';
}

function notLoaded(problems: readonly Problem[]): PackLoad {
  return {problems, end: ignore};
}

function ignore(): void {
  // Nothing keeps running.
}
