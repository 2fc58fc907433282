// Finds a package that a workspace needs and the host does not depend on.
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

/** The URL of its entry, as Node finds it from the workspace, otherwise from the host; undefined if it is not installed. */
export function findPackage(name: string, workspaceRoot: string): string | undefined {
  for (const from of [join(workspaceRoot, 'package.json'), import.meta.url]) {
    try {
      return pathToFileURL(createRequire(from).resolve(name)).href;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return undefined;
}
