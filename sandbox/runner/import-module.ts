// Loads a handler's module by `require`, which takes ES modules too and spares a cold start the loader of those.
// One that cannot be had synchronously, for an `await` at its top level, is imported as usual.
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
import {errorCode} from '../error-code.ts';

type Module = Readonly<Record<string, unknown>>;

const needsImport: ReadonlySet<unknown> = new Set(['ERR_REQUIRE_ASYNC_MODULE', 'ERR_REQUIRE_ESM']);

/** What earlier calls imported. Node keeps modules too, but takes longer to find them. */
const imported = new Map<string, Module>();

/** `path` is absolute. */
export async function importModule(path: string): Promise<Module> {
  const known = imported.get(path);
  if (known !== undefined) return known;
  const module = await load(path);
  imported.set(path, module);
  return module;
}

async function load(path: string): Promise<Module> {
  try {
    return createRequire(path)(path) as Module;
  } catch (error) {
    if (!needsImport.has(errorCode(error))) throw error;
    return (await import(pathToFileURL(path).href)) as Module;
  }
}
