// The failure of a command that generates types from JSON Schemas.
import {installedPackage} from '../create/installed-package.ts';
import {quoted} from '../rendering/quoted.ts';
import {CliError} from './cli-error.ts';

export function typesUnavailable(error: NodeJS.ErrnoException): never {
  if (error.code === 'ERR_MODULE_NOT_FOUND') {
    // A pack can link a host that is installed elsewhere. Only packages beside the host are loaded into it.
    const {folder} = installedPackage('@lumenflow/host');
    const [project = folder] = folder.split('/node_modules/');
    throw new CliError(
      'TYPES_UNAVAILABLE',
      `json-schema-to-typescript, which generates the types, is not installed beside LumenFlow in \`${project}\``,
      {help: `npm install --prefix ${quoted(project)} --save-dev json-schema-to-typescript`},
    );
  }
  throw new CliError('TYPES_UNAVAILABLE', `cannot generate types from a schema: ${error.message}`);
}
