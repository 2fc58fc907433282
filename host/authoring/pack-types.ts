// Generates TypeScript types from a pack's JSON Schemas: the input and output of each tool, and its config.
import type {PackManifest} from '@lumenflow/schemas';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {packPath} from '../packs/files/pack-path.ts';

export const typesFile = 'pack-types.ts';

const banner = '// Generated from manifest.yaml by `lumenflow pack types`: do not edit.\n';

interface NamedSchema {
  readonly name: string;
  readonly schema: object;
}

/**
 * The text of a module: `GreetInput` and `GreetOutput` of the tool `hello:greet`, `PackConfig` of config_schema.
 * Rejects with code ERR_MODULE_NOT_FOUND where json-schema-to-typescript is not installed, and with what it says of a
 * schema that it cannot read.
 */
export async function packTypes(folder: string, manifest: PackManifest): Promise<string> {
  const {compile} = await import('json-schema-to-typescript');
  const texts: string[] = [];
  for (const {name, schema} of [...(await configSchema(folder, manifest)), ...toolSchemas(manifest)]) {
    const text = await compile({...schema, title: undefined}, name, {
      cwd: `${folder}/`,
      bannerComment: '',
      style: {singleQuote: true, bracketSpacing: false, printWidth: 120},
      $refOptions: {resolve: {http: false}},
      // Definitions in several schemas can have the same name.
      customName: ({title}, key) =>
        key === undefined && title === undefined ? undefined : name + pascal(key ?? title),
    });
    texts.push(text.trim());
  }
  return `${[banner, ...texts].join('\n')}\n`;
}

function toolSchemas({tools}: PackManifest): readonly NamedSchema[] {
  const short = tools.map(({name}) => pascal(name.split(':').at(-1)));
  return tools.flatMap(({name, input_schema, output_schema}, index) => {
    const own = short[index] ?? '';
    const stem = short.filter((other) => other === own).length > 1 ? pascal(name) : own;
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

function pascal(text = ''): string {
  return text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/gu, (_, first: string) => first.toUpperCase());
}
