// Limits what esbuild can read for a pack: its own hashed files, the host's SDK, and declared dependencies.
import type {OnLoadResult, OnResolveArgs, OnResolveResult, Plugin, PluginBuild} from 'esbuild';
import {isBuiltin} from 'node:module';
import {dirname, extname, isAbsolute, relative, sep} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {BundleRequest, Wrappers} from './bundle-request.ts';
import {judgeImport, sdkPackage} from './import-boundary.ts';
import type {OutsideFiles} from './outside-files.ts';
import {PackFileError} from '../files/pack-files.ts';

/** When it runs from TypeScript, the host resolves the SDK's TypeScript sources too. */
export const isFromSources: boolean = import.meta.url.endsWith('.ts');

export const boundaryPlugin = 'pack-boundary';

const hostFolder = dirname(fileURLToPath(import.meta.url));
const sdkResolution: unique symbol = Symbol('sdkResolution');

const loaders: Readonly<Record<string, 'ts' | 'tsx' | 'js' | 'jsx' | 'json' | 'text'>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
  '.jsx': 'jsx',
  '.json': 'json',
  '.txt': 'text',
  '.md': 'text',
};

/** Without `builtins`, every import of a Node module is refused. `loaders` receives the files that name Node's own loader. */
export function createBundlePlugin(
  request: BundleRequest,
  wrappers: Wrappers,
  outside: OutsideFiles,
  {builtins, loaders: namers}: {readonly builtins: boolean; readonly loaders: Set<string>},
): Plugin {
  const {files} = request;
  return {
    name: boundaryPlugin,
    setup(build) {
      const sdk = createSdkResolver(build);
      build.onResolve({filter: /^wrapper:/}, ({path}) => ({
        path: path.slice('wrapper:'.length),
        namespace: 'wrapper',
      }));
      build.onLoad({filter: /.*/, namespace: 'wrapper'}, ({path}) => ({
        contents: wrappers.get(path)?.source ?? '',
        resolveDir: files.root,
      }));
      build.onResolve({filter: /.*/}, async (args) => {
        if (builtins || !isBuiltin(args.path)) return await resolveImport(sdk, request, args);
        return {errors: [{text: `\`${args.path}\` is a module of Node, which a factory must not use`}]};
      });
      build.onLoad({filter: /.*/, namespace: 'file'}, async ({path}) => await load(path));
    },
  };

  async function load(path: string): Promise<OnLoadResult> {
    const loader = loaders[extname(path)];
    if (!loader) return {errors: [{text: `a file of type \`${extname(path)}\` cannot be bundled`}]};
    const inside = pathInside(files.root, path);
    try {
      const isInstalled = inside === undefined || inside.split('/').includes('node_modules');
      const contents = isInstalled ? await outside.read(path) : await files.read(inside);
      if (Buffer.from(contents).includes('getBuiltinModule')) namers.add(path);
      return {contents, loader};
    } catch (error) {
      if (!(error instanceof PackFileError)) throw error;
      return {errors: [{text: `\`${error.path}\` ${error.message}`}]};
    }
  }
}

async function resolveImport(
  sdk: SdkResolver,
  request: BundleRequest,
  args: OnResolveArgs,
): Promise<OnResolveResult | undefined> {
  if (args.namespace !== 'file' || args.pluginData === sdkResolution) return undefined;
  const importer = pathInside(request.files.root, args.importer);
  const isOwn = importer !== undefined && !importer.split('/').includes('node_modules');
  if (!isOwn) return isSdk(args.path) ? await sdk(args) : undefined;
  const verdict = judgeImport(args.path, importer, request.dependencies);
  if (verdict.kind === 'refused') return {errors: [{text: verdict.reason}]};
  return verdict.kind === 'sdk' ? await sdk(args) : undefined;
}

function isSdk(specifier: string): boolean {
  return specifier === sdkPackage || specifier.startsWith(`${sdkPackage}/`);
}

type SdkResolver = (args: OnResolveArgs) => Promise<OnResolveResult>;

/** The host's own SDK, whichever version the pack has installed: both ends of a call must use the same protocol. */
function createSdkResolver(build: PluginBuild): SdkResolver {
  // Cached, because nearly every module imports it from the same path.
  const resolved = new Map<string, Promise<OnResolveResult>>();
  return async ({path, kind}) => {
    const key = `${kind} ${path}`;
    const known = resolved.get(key) ?? build.resolve(path, {kind, resolveDir: hostFolder, pluginData: sdkResolution});
    resolved.set(key, known);
    return await known;
  };
}

/** Relative to the root with `/`; undefined when the file is outside. */
function pathInside(root: string, file: string): string | undefined {
  const inside = relative(root, file);
  const leads = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return leads ? undefined : inside.split(sep).join('/');
}
