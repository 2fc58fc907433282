// Where editors find a schema: in the project's own files if they contain the installation, otherwise at the address of the published
// package. Both are valid in every clone.
import {existsSync} from 'node:fs';
import {dirname, join, relative, sep} from 'node:path';
import {version} from '../../version.ts';
import {installedPackage} from '../create/installed-package.ts';

/** An address, or a path relative to the folder with `/`. */
export function schemaPath(folder: string, schema: `${'manifest' | 'program' | 'workspace'}.schema.json`): string {
  const {folder: schemas, isFromRegistry} = installedPackage('@lumenflow/schemas');
  if (isFromRegistry || !schemas.startsWith(join(projectOf(folder), sep))) {
    return `https://unpkg.com/@lumenflow/schemas@${version}/${schema}`;
  }
  const path = relative(folder, join(schemas, schema)).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** The folder that a clone brings, or where npm installs for it; the folder itself if nothing shows one. */
function projectOf(folder: string): string {
  for (let project = folder; project !== dirname(project); project = dirname(project)) {
    if (existsSync(join(project, '.git')) || existsSync(join(project, 'node_modules'))) return project;
  }
  return folder;
}
