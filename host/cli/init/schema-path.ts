// The path of a schema for editors: the file that is installed with the host.
import {realpathSync} from 'node:fs';
import {basename, dirname, join, relative, sep} from 'node:path';
import {fileURLToPath} from 'node:url';

/** Relative to the folder, with `/`. */
export function schemaPath(folder: string, schema: 'manifest.schema.json' | 'workspace.schema.json'): string {
  let schemas = dirname(fileURLToPath(import.meta.resolve('@lumenflow/schemas')));
  if (basename(schemas) === 'dist') schemas = dirname(schemas);
  const path = relative(folder, join(realpathSync(schemas), schema))
    .split(sep)
    .join('/');
  return path.startsWith('.') ? path : `./${path}`;
}
