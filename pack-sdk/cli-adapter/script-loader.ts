// Loads a script as Node loads its main program, again for each run: `require.main` is the script, and modules of earlier runs are
// not cached.
import {readFileSync, realpathSync} from 'node:fs';
import Module, {createRequire, register} from 'node:module';
import {dirname, extname, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {holdProperties} from './run/process-state.ts';

export interface ScriptLoader {
  /**
   * To be called outside of the run. Gives what runs the script; it resolves when the script's own code has been run, its
   * awaits at the top level included.
   */
  prepare(path: string): () => Promise<void>;
  /** Imports are answered by another thread, and wait for it at ports that Node does not count. */
  importsByThread(): boolean;
  /** Hides all CommonJS modules and gives a function that puts them back, with the loaders of extensions. */
  isolate(): () => void;
}

/** Not documented, though widely used: what Node itself loads its program with. */
const {_load: loadMain} = Module as unknown as {_load(path: string, parent: null, isMain: true): unknown};
const {cache, extensions} = createRequire(import.meta.url);

/** What a marked module imports is marked too, so that its whole graph is another one. Used in a thread, as text, too. */
const markLike = (resolved: {readonly url: string}, parent = ''): {readonly url: string} => {
  const mark = /^file:.*[?&](lumenflow-run=\d+)/u.exec(parent)?.[1];
  if (mark === undefined || !resolved.url.startsWith('file:')) return resolved;
  return {...resolved, url: `${resolved.url}${resolved.url.includes('?') ? '&' : '?'}${mark}`};
};

interface Resolution {
  registerHooks?(hooks: {resolve(specifier: string, context: {parentURL?: string}, next: NextResolve): unknown}): void;
}

type NextResolve = (specifier: string, context: unknown) => {readonly url: string};

export function createScriptLoader(): ScriptLoader {
  // ES modules cannot be unloaded. The first run of a script has the URL that Node would give it.
  const timesImported = new Map<string, number>();
  let hooks: 'none' | 'here' | 'in a thread' = 'none';

  function hookImports(): void {
    if (hooks !== 'none') return;
    const {registerHooks} = Module as Resolution;
    hooks = registerHooks === undefined ? 'in a thread' : 'here';
    registerHooks?.({resolve: (specifier, context, next) => markLike(next(specifier, context), context.parentURL)});
    if (registerHooks !== undefined) return;
    const source = `const markLike = ${String(markLike)};
      export const resolve = async (specifier, context, next) => markLike(await next(specifier, context), context.parentURL);`;
    register(`data:text/javascript,${encodeURIComponent(source)}`);
  }

  function freshUrl(file: string): string {
    const url = pathToFileURL(file);
    const times = timesImported.get(file) ?? 0;
    timesImported.set(file, times + 1);
    if (times > 0) {
      hookImports();
      url.searchParams.set('lumenflow-run', String(times));
    }
    return url.href;
  }

  return {
    importsByThread: () => hooks === 'in a thread',
    prepare(path) {
      const file = realpathSync(path);
      if (!isEsModule(file)) return async () => void loadMain(file, null, true);
      const url = freshUrl(file);
      return async () => void (await import(url));
    },
    isolate() {
      const restoreExtensions = holdProperties(extensions);
      const hidden = {...cache};
      const clear = (): void => Object.keys(cache).forEach((key) => delete cache[key]);
      clear();
      return () => {
        clear();
        Object.assign(cache, hidden);
        restoreExtensions();
      };
    },
  };
}

/** As Node decides it for its own program; ES syntax in a file that says nothing is found by its loader. */
function isEsModule(file: string): boolean {
  const extension = extname(file);
  if (extension === '.mjs' || extension === '.mts') return true;
  if (extension === '.cjs' || extension === '.cts') return false;
  return packageType(dirname(file)) === 'module';
}

function packageType(folder: string): unknown {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {type?: unknown}).type;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    const parent = dirname(folder);
    return parent === folder ? undefined : packageType(parent);
  }
}
