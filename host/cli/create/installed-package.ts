// Where a LumenFlow package of this host is installed, and whether a registry has it.
import {existsSync, readFileSync, realpathSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

export interface InstalledPackage {
  /** Absolute, without symlinks. */
  readonly folder: string;
  /** Whether npm installed it from a registry: the versions of a checkout and of tarballs need not be published. */
  readonly isFromRegistry: boolean;
}

type Name = '@lumenflow/host' | '@lumenflow/pack-sdk' | '@lumenflow/schemas';

/** Resolved from this file. */
export function installedPackage(name: Name): InstalledPackage {
  let folder = dirname(realpathSync(fileURLToPath(import.meta.resolve(name))));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return {folder, isFromRegistry: isFromRegistry(name, folder)};
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
