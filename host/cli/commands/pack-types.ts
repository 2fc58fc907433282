// `lumenflow pack types`: generates TypeScript types for tools with a JSON Schema.
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {packTypes as typesOf, typesFile} from '../../authoring/pack-types.ts';
import {CliError} from '../failures/cli-error.ts';
import {typesUnavailable} from '../failures/types-unavailable.ts';
import type {Command} from '../command.ts';
import {loadPackOf} from '../lookup/load-pack-of.ts';

interface Options {
  readonly check?: boolean;
}

export const packTypes: Command<Options> = async (context, [name = '.'], {check}) => {
  const {manifest, root} = await loadPackOf(context, name);
  const text = await typesOf(root, manifest).catch(typesUnavailable);
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
