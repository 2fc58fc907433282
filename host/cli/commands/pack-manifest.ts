// `lumenflow pack manifest`: writes input_schema and output_schema of the manifest from the schemas in the tools' code.
import type {LoadedPack} from '@lumenflow/kernel';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fillManifest, type FilledManifest} from '../../authoring/fill-manifest.ts';
import {readToolSchemas, type ToolSchemas} from '../../authoring/tool-schemas.ts';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {loadPackOf} from '../lookup/load-pack-of.ts';

interface Options {
  readonly check?: boolean;
}

export const packManifest: Command<Options> = async (context, [name = '.'], {check}) => {
  const pack = await loadPackOf(context, name);
  const schemas = await context
    .spin('reading the tools', () => readToolSchemas(pack, context.env['PATH'] ?? ''))
    .catch((error: unknown) => {
      throw new CliError('SCHEMAS_UNAVAILABLE', error instanceof Error ? error.message : String(error));
    });
  const failed = schemas.flatMap(({tool, problems}) => problems.map((problem) => `\`${tool}\` ${problem}`));
  if (failed.length > 0) {
    throw new CliError('SCHEMAS_UNAVAILABLE', failed.join('; '), {
      help: 'use a schema with a JSON Schema (for valibot: npm install --save-dev @valibot/to-json-schema), or write the JSON Schema by hand',
    });
  }
  const file = join(pack.root, 'manifest.yaml');
  const filled = await fillFiles(pack, schemas);
  const changed = filled.flatMap((one) => one.changed);
  if (check === true && changed.length > 0) {
    throw new CliError('MANIFEST_STALE', `manifest.yaml differs from the tools: ${changed.join(', ')}`, {
      help: 'run `lumenflow pack manifest`',
      details: {file, changed},
    });
  }
  for (const one of filled) if (one.changed.length > 0) await writeFile(one.file, one.text);
  const {style} = context;
  return {
    data: {file, changed},
    text: () =>
      changed.length === 0
        ? `${style.good('✔')} manifest.yaml matches the tools`
        : [`${style.good('✔')} manifest.yaml`, ...changed.map((what) => `  ${style.dim('wrote')}  ${what}`)].join('\n'),
  };
};

/** manifest.yaml and its tool_files, in the order of their tools. */
async function fillFiles(
  {root, manifest}: LoadedPack,
  schemas: readonly ToolSchemas[],
): Promise<readonly (FilledManifest & {readonly file: string})[]> {
  const filled = [];
  let rest = schemas;
  for (const path of ['manifest.yaml', ...(manifest.tool_files ?? [])]) {
    const file = join(root, path);
    const one = fillManifest(await readFile(file, 'utf8'), rest);
    filled.push({...one, file});
    ({rest} = one);
  }
  return filled;
}
