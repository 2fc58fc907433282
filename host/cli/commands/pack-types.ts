// `lumenflow pack types`: generates TypeScript types for tools with a JSON Schema.
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {packTypes as typesOf, typesFile} from '../../authoring/pack-types.ts';
import {installedPackage} from '../create/installed-package.ts';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {loadPackOf} from '../lookup/load-pack-of.ts';
import {quoted} from '../rendering/quoted.ts';

interface Options {
  readonly check?: boolean;
}

export const packTypes: Command<Options> = async (context, [name = '.'], {check}) => {
  const {manifest, root} = await loadPackOf(context, name);
  const text = await typesOf(root, manifest).catch(reportUnavailable);
  const file = join(root, typesFile);
  const isFresh = (await readFile(file, 'utf8').catch(() => undefined)) === text;
  if (check === true && !isFresh) {
    throw new CliError('TYPES_STALE', `\`${typesFile}\` differs from manifest.yaml`, {
      help: 'run `lumenflow pack types`',
      details: {file},
    });
  }
  if (!isFresh) await writeFile(file, text);
  const reported = isFresh ? 'matches manifest.yaml' : 'written';
  return {data: {file, changed: !isFresh}, text: () => `${context.style.good('✔')} ${typesFile} ${reported}`};
};

function reportUnavailable(error: NodeJS.ErrnoException): never {
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
