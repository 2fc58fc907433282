// Bundles a pack's handlers, and separately its factories, from exactly the bytes that were hashed. The outputs contain the SDK
// and all dependencies, so a sandbox needs no other files.
import type {Problem} from '@lumenflow/kernel';
import {build, type BuildOptions, type BuildResult, type Metafile} from 'esbuild';
import {basename, resolve} from 'node:path';
import {createBundlePlugin, isFromSources} from './bundle-plugin.ts';
import {checkReach} from './check-reach.ts';
import {isWasm} from '../manifest/read-manifest.ts';
import type {BundleRequest, PackEntry, Wrapper, Wrappers} from './bundle-request.ts';
import {factoryModuleName, factoryModuleSource} from '../../isolate/factory-module.ts';
import {bundleProblems, isBuildFailure} from './bundle-problems.ts';
import {checkCommonJsExports} from './check-commonjs-exports.ts';
import {createOutsideFiles, type OutsideFile, type OutsideFiles} from './outside-files.ts';
import {requireBanner, withoutUnusedRequire} from './require-banner.ts';

export interface Bundle {
  readonly outputs: ReadonlyMap<string, Uint8Array>;
  /** Names of outputs by the handler's file. */
  readonly modules: Readonly<Record<string, string>>;
  /** Files of the pack that an entry reaches, relative to the pack. */
  readonly reached: readonly string[];
  /** Files outside of the pack that are part of it: its dependencies. */
  readonly counted: readonly OutsideFile[];
  /** All files outside of the pack that are in the outputs, including the SDK's. */
  readonly outside: readonly OutsideFile[];
  readonly problems: readonly Problem[];
}

/** `folder` is the output folder: source maps refer from there to the pack. */
export async function bundlePack(request: BundleRequest, folder: string): Promise<Bundle> {
  // esbuild does not escape output paths in its metafile. Source maps refer to the pack by relative paths, so another name has no effect.
  const outdir = folder.replaceAll(/["\p{Cc}]/gu, '_');
  const outside = createOutsideFiles();
  const modules = nameModules(request.handlers.map(({file}) => file));
  const handlers = request.handlers.filter(({file}) => !isWasm(file));
  const results = await Promise.all([
    runBuild(request, wrapHandlers(handlers, modules), outside, {...handlerOptions, outdir}),
    runBuild(request, wrapFactories(request.factories), outside, {...factoryOptions, outdir}),
    copyWasm(request, modules),
  ]);
  const problems = results.flatMap((result) => result.problems);
  problems.push(...(await checkCommonJsExports(request, results)));
  const counted = new Set(results.flatMap((result) => [...result.counted]));
  return {
    outputs: new Map(results.flatMap((result) => [...result.outputs])),
    modules,
    reached: [...request.files.hashes.keys()].filter((path) => counted.has(resolve(request.files.root, path))),
    outside: [...outside.all.values()],
    counted: [...outside.all.values()].filter(({file}) => counted.has(file)),
    problems,
  };
}

export interface BuildFindings {
  readonly outputs: ReadonlyMap<string, Uint8Array>;
  /** Absolute paths. */
  readonly counted: ReadonlySet<string>;
  readonly problems: readonly Problem[];
  readonly metafile?: Metafile;
}

/** A WebAssembly module is its own build. */
async function copyWasm(
  {files, handlers}: BundleRequest,
  modules: Readonly<Record<string, string>>,
): Promise<BuildFindings> {
  const copied = [...new Set(handlers.map(({file}) => file))].filter(isWasm);
  const outputs = await Promise.all(
    copied.map(async (file) => [modules[file] ?? file, await files.read(file)] as const),
  );
  return {
    outputs: new Map(outputs),
    counted: new Set(copied.map((file) => resolve(files.root, file))),
    problems: [],
  };
}

/** Handlers run in Node. Shared code is split into chunks, so that a sandbox loads only the code of its tool. */
const handlerOptions: BuildOptions = {
  platform: 'node',
  target: 'node20',
  splitting: true,
  banner: {js: requireBanner},
  define: {__filename: 'import.meta.filename', __dirname: 'import.meta.dirname'},
};

/** Factories run in an isolate that provides only the language. */
const factoryOptions: BuildOptions = {platform: 'neutral', target: 'es2023', mainFields: ['module', 'main']};

async function runBuild(
  request: BundleRequest,
  wrappers: Wrappers,
  outside: OutsideFiles,
  options: BuildOptions,
): Promise<BuildFindings> {
  if (wrappers.size === 0) return {outputs: new Map(), counted: new Set(), problems: []};
  const {root} = request.files;
  const loaders = new Set<string>();
  try {
    const result = await build({
      ...options,
      entryPoints: [...wrappers.keys()].map((name) => ({in: `wrapper:${name}`, out: name.replace(/\.mjs$/u, '')})),
      absWorkingDir: root,
      outExtension: {'.js': '.mjs'},
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      sourcemap: 'linked',
      sourcesContent: false,
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'silent',
      tsconfigRaw: {},
      conditions: isFromSources ? ['@lumenflow/source'] : [],
      logOverride: {
        'import-is-undefined': 'error',
        'unsupported-dynamic-import': 'warning',
        'unsupported-require-call': 'warning',
      },
      plugins: [createBundlePlugin(request, wrappers, outside, {builtins: options.platform === 'node', loaders})],
    });
    return examine(request, wrappers, result, loaders);
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    return {outputs: new Map(), counted: new Set(), problems: bundleProblems(request, wrappers, error)};
  }
}

function examine(
  request: BundleRequest,
  wrappers: Wrappers,
  result: BuildResult<{metafile: true; write: false}>,
  loaders: ReadonlySet<string>,
): BuildFindings {
  const {root} = request.files;
  const outputs = new Map(
    result.outputFiles.map(({path, contents}) => [basename(path), withoutUnusedRequire(contents)]),
  );
  const {reached, problems} = checkReach(request, wrappers, result, loaders);
  return {
    outputs,
    counted: new Set([...reached].map((input) => resolve(root, input))),
    problems: [...bundleProblems(request, wrappers, result), ...problems],
    metafile: result.metafile,
  };
}

function wrapHandlers(entries: readonly PackEntry[], modules: Readonly<Record<string, string>>): Wrappers {
  const wrappers = new Map<string, Wrapper>();
  for (const entry of entries) {
    const name = modules[entry.file] ?? entry.file;
    const {source, entries: others} = wrappers.get(name) ?? {source: '', entries: []};
    const same = others.find(({exportName}) => exportName === entry.exportName);
    if (same) {
      // Two tools share a handler: the stricter one determines what it can reach.
      const stricter = same.builtins ? entry : same;
      wrappers.set(name, {source, entries: others.map((other) => (other === same ? stricter : other))});
      continue;
    }
    const line = `export {${entry.exportName}} from ${JSON.stringify(`./${entry.file}`)};\n`;
    wrappers.set(name, {source: source + line, entries: [...others, entry]});
  }
  return wrappers;
}

function wrapFactories(entries: BundleRequest['factories']): Wrappers {
  return new Map(entries.length === 0 ? [] : [[factoryModuleName, {source: factoryModuleSource(entries), entries}]]);
}

/** All outputs are in one folder: `tools/greet.ts` becomes `tools.greet.mjs`, `tools/count.wasm` becomes `tools.count.wasm`. */
function nameModules(files: readonly string[]): Record<string, string> {
  const taken = new Set([factoryModuleName]);
  return Object.fromEntries(
    [...new Set(files)].map((file) => {
      const stem = file.replace(/\.[cm]?[jt]sx?$/u, '').replaceAll(/[^A-Za-z0-9_-]+/gu, '.');
      const extension = isWasm(file) ? 'wasm' : 'mjs';
      let name = `${stem.replace(/\.wasm$/u, '')}.${extension}`;
      for (let count = 2; taken.has(name); count++) name = `${stem}.${count}.${extension}`;
      taken.add(name);
      return [file, name];
    }),
  );
}
