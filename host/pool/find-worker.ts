// Finds the thread's program. It must be built JavaScript even when the host runs from TypeScript sources, because threads do
// not inherit the loader.
import {existsSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {KernelError} from '@lumenflow/kernel';

/** Throws KernelError LOAD_FAILED when the program is not built. */
export function findWorker(moduleUrl: string = import.meta.url): string {
  const fromSources = moduleUrl.endsWith('.ts');
  const path = fileURLToPath(new URL(fromSources ? '../dist/pool/worker.js' : './worker.js', moduleUrl));
  if (existsSync(path)) return path;
  throw new KernelError('LOAD_FAILED', `the pool's thread program \`${path}\` is missing: run \`npm run build\``);
}
