// How a new pack's package.json refers to the LumenFlow packages: by folder, because the versions of a checkout and of an installation
// from tarballs need not be published; by version if npm installed the host from a registry.
import {existsSync, readFileSync, realpathSync} from 'node:fs';
import {dirname, join, relative, sep} from 'node:path';
import {fileURLToPath} from 'node:url';
import {version} from '../../version.ts';

/** The version or folder from which npm installs the package into a project in this folder. */
export function packageRange(name: '@lumenflow/host' | '@lumenflow/pack-sdk', project: string): string {
  const folder = packageFolder(name);
  if (isFromRegistry(name, folder)) return `^${version}`;
  return `file:${relative(project, folder).split(sep).join('/')}`;
}

/** Resolved from this file. */
function packageFolder(name: string): string {
  let folder = dirname(realpathSync(fileURLToPath(import.meta.resolve(name))));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** Npm records the source of each package beside it. Other package managers install from a registry, except for linked folders. */
function isFromRegistry(name: string, folder: string): boolean {
  const modules = folder.slice(0, -name.length);
  if (!folder.endsWith(join('node_modules', name))) return false;
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record)) return true;
  const {packages = {}} = JSON.parse(readFileSync(record, 'utf8')) as {
    packages?: Readonly<Record<string, {readonly resolved?: string} | undefined>>;
  };
  return /^https?:/u.test(packages[`node_modules/${name}`]?.resolved ?? '');
}
