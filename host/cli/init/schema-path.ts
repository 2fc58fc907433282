// Where editors find a schema: at an address that is valid in every clone if the packages are published, otherwise in the installation.
import {join, relative, sep} from 'node:path';
import {version} from '../../version.ts';
import {installedPackage} from '../create/installed-package.ts';

/** An address, or a path relative to the folder with `/`. */
export function schemaPath(folder: string, schema: 'manifest.schema.json' | 'workspace.schema.json'): string {
  const {folder: schemas, isFromRegistry} = installedPackage('@lumenflow/schemas');
  if (isFromRegistry) return `https://unpkg.com/@lumenflow/schemas@${version}/${schema}`;
  const path = relative(folder, join(schemas, schema)).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
}
