// Generates TypeScript types from a pack's JSON Schemas: the input and output of each tool, and its config.
import type {PackManifest} from '@lumenflow/schemas';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {packPath} from '../packs/files/pack-path.ts';
import {pascalCase, schemaTypes, type NamedSchema} from './schema-types.ts';

export const typesFile = 'pack-types.ts';

const banner = '// Generated from manifest.yaml by `lumenflow pack types`: do not edit.\n';

/**
 * The text of a module: `GreetInput` and `GreetOutput` of the tool `hello:greet`, `PackConfig` of config_schema.
 * Rejects as `schemaTypes` does.
 */
export async function packTypes(folder: string, manifest: PackManifest): Promise<string> {
  const texts = await schemaTypes([...(await configSchema(folder, manifest)), ...toolSchemas(manifest)], {folder});
  return `${[banner, ...texts].join('\n')}\n`;
}

function toolSchemas({tools}: PackManifest): readonly NamedSchema[] {
  const short = tools.map(({name}) => pascalCase(name.split(':').at(-1)));
  return tools.flatMap(({name, input_schema, output_schema}, index) => {
    const own = short[index] ?? '';
    const stem = short.filter((other) => other === own).length > 1 ? pascalCase(name) : own;
    return [
      ...(input_schema ? [{name: `${stem}Input`, schema: input_schema}] : []),
      ...(output_schema ? [{name: `${stem}Output`, schema: output_schema}] : []),
    ];
  });
}

async function configSchema(folder: string, {config_schema}: PackManifest): Promise<readonly NamedSchema[]> {
  const path = config_schema === undefined ? undefined : packPath(config_schema);
  if (path === undefined) return [];
  return [{name: 'PackConfig', schema: JSON.parse(await readFile(join(folder, path), 'utf8')) as object}];
}
