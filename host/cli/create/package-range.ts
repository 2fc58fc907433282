// How a new pack's package.json refers to the LumenFlow packages: by version if a registry has them, otherwise by folder.
import {relative, sep} from 'node:path';
import {version} from '../../version.ts';
import {installedPackage} from './installed-package.ts';

/** The version or folder from which npm installs the package into a project in this folder. */
export function packageRange(name: '@lumenflow/host' | '@lumenflow/pack-sdk', project: string): string {
  const {folder, isFromRegistry} = installedPackage(name);
  return isFromRegistry ? `^${version}` : `file:${relative(project, folder).split(sep).join('/')}`;
}
