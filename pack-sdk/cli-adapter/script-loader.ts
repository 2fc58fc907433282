// Loads a script as Node loads its main program: `require.main` is the script, and modules of the host are not cached. This works
// once in a process, because ES modules cannot be unloaded, and they share state with CommonJS modules. Later scripts get a
// process of their own.
import {readFileSync, realpathSync} from 'node:fs';
import Module, {createRequire} from 'node:module';
import {dirname, extname, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {saveProperties} from './run/process-state.ts';
import {runScriptProcess} from './run-script-process.ts';

export interface ScriptLoader {
  /**
   * To be called outside of the run. Returns a function that runs the script. It resolves when the script's own code has been
   * run, its awaits at the top level included.
   */
  prepare(path: string): () => Promise<void>;
  /** Hides all CommonJS modules and returns a function that restores them, and the loaders of extensions. */
  isolate(): () => void;
}

/** Not documented, though widely used: what Node itself loads its program with. */
const {_load: loadMain} = Module as unknown as {_load(path: string, parent: null, isMain: true): unknown};
const {cache, extensions} = createRequire(import.meta.url);

export function createScriptLoader(): ScriptLoader {
  let isUsed = false;
  return {
    prepare(path) {
      const file = realpathSync(path);
      if (isUsed) return async () => await runScriptProcess(path);
      isUsed = true;
      if (!isEsModule(file)) return async () => void loadMain(file, null, true);
      return async () => void (await import(pathToFileURL(file).href));
    },
    isolate() {
      const restoreExtensions = saveProperties(extensions);
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
