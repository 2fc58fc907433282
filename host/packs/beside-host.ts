// Finds the first-party packs that are installed with the host, so that a workspace can pin them by name without a node_modules folder.
import {realpathSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname} from 'node:path';

const firstParty = '@lumenflow/pack-';

/** Returns the folder of a first-party package, as Node finds it from the host; undefined for others, and if it is not installed. */
export function packageBesideHost(name: string): string | undefined {
  if (!name.startsWith(firstParty)) return undefined;
  try {
    return realpathSync(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
