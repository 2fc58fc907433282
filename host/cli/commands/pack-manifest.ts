// `lumenflow pack manifest`: writes the schemas and declarations in the tools' code into the manifest.
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {manifestFromCode} from '../../definitions/manifest-from-code.ts';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {placesFrom} from '../rendering/places-from.ts';
import {packFolder} from '../lookup/pack-folder.ts';

interface Options {
  readonly check?: boolean;
}

export const packManifest: Command<Options> = async (context, [name = '.'], {check}) => {
  const folder = await packFolder(context, name);
  const {stale, problems} = await context.spin('reading the tools', () => manifestFromCode(folder));
  if (problems.length > 0) {
    throw new CliError('SCHEMAS_UNAVAILABLE', 'the manifest cannot be compared with the code', {
      problems: placesFrom(context.cwd, folder, problems),
    });
  }
  const changed = stale.flatMap((file) => file.changed);
  const files = stale.map(({path}) => path);
  const file = join(folder, 'manifest.yaml');
  if (check === true && changed.length > 0) {
    throw new CliError('MANIFEST_STALE', `${files.join(', ')}: differs from the code: ${changed.join(', ')}`, {
      help: 'run `lumenflow pack manifest`',
      details: {file, changed},
    });
  }
  for (const {path, text} of stale) await writeFile(join(folder, path), text);
  const {style} = context;
  return {
    data: {file, changed},
    text: () =>
      changed.length === 0
        ? `${style.good('✔')} manifest.yaml matches the tools`
        : [`${style.good('✔')} ${files.join(', ')}`, ...changed.map((what) => `  ${style.dim('wrote')}  ${what}`)].join(
            '\n',
          ),
  };
};
