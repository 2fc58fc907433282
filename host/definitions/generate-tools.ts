// The file of a manifest that is generated from code: the tools that modules of `tools/` declare with `defineTool`.
import type {CodeDeclaration} from '@lumenflow/pack-sdk';
import {isDeepStrictEqual} from 'node:util';
import {parse, stringify} from 'yaml';
import {generatedFile} from '../packs/manifest/generated-file.ts';
import type {DescribedExport, DescribedFile} from './describing-module.ts';
import type {ManifestText} from './fill-manifest.ts';

const banner = '# Generated from tools/ by `lumenflow pack manifest`: do not edit.\n';

interface Entry {
  readonly name?: string;
  readonly handler_entry: string;
}

/** `before` is the current text, undefined if the file does not exist. */
export function generateTools(files: readonly DescribedFile[], before: string | undefined): ManifestText {
  const tools = files.flatMap(({file, exports}) =>
    exports.flatMap((described) => (described.declaration ? [entryOf(file, described)] : [])),
  );
  const text = banner + stringify({tools}, {lineWidth: 0, aliasDuplicateObjects: false});
  return text === before ? {text, changed: []} : {text, changed: changesOf(before, tools)};
}

function entryOf(file: string, {name: exported, declaration, input, output}: DescribedExport): Entry {
  const {name, description, permission, examples, input_schema, output_schema, ...rest} = declaration as Partial<
    CodeDeclaration & Record<string, unknown>
  >;
  const inputSchema = input ?? input_schema ?? (examples && {});
  const entry = {
    name,
    description,
    handler_entry: `${file}#${exported}`,
    permission,
    ...rest,
    input_schema: inputSchema && examples ? {...inputSchema, examples} : inputSchema,
    output_schema: output ?? output_schema,
  };
  // As it is read back, without the keys that are undefined.
  return JSON.parse(JSON.stringify(entry)) as Entry;
}

/** The changed tools by name. */
function changesOf(before: string | undefined, tools: readonly Entry[]): readonly string[] {
  const old = toolsIn(before);
  const names = new Set([...old, ...tools].map(({name}) => name));
  const of = (list: readonly Entry[], wanted: string | undefined): readonly Entry[] =>
    list.filter(({name}) => name === wanted);
  const changed = [...names].filter((name) => !isDeepStrictEqual(of(old, name), of(tools, name)));
  return changed.length === 0 ? [generatedFile] : changed.map((name) => name ?? 'a tool without a name');
}

function toolsIn(text = ''): readonly Entry[] {
  try {
    const {tools} = parse(text) as {readonly tools?: unknown};
    return Array.isArray(tools) ? (tools as readonly Entry[]) : [];
  } catch {
    // Text that is not YAML is replaced.
    return [];
  }
}
