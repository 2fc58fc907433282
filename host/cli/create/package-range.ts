// How a new pack's package.json refers to the LumenFlow packages: by version, or by folder if a checkout of the sources runs.
import {existsSync, realpathSync} from 'node:fs';
import {dirname, join, relative, sep} from 'node:path';
import {fileURLToPath} from 'node:url';
import {version} from '../../version.ts';

/** The version or folder from which npm installs the package into a project in this folder. */
export function packageRange(name: '@lumenflow/host' | '@lumenflow/pack-sdk', project: string): string {
  const folder = packageFolder(name);
  if (folder.split(sep).includes('node_modules')) return `^${version}`;
  return `file:${relative(project, folder).split(sep).join('/')}`;
}

/** Resolved from this file. */
function packageFolder(name: string): string {
  let folder = dirname(realpathSync(fileURLToPath(import.meta.resolve(name))));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
