// The module that runs inside the sandbox for `describeCode`: it imports files of the pack and describes their exports as JSON.

/** The file name of the module in the copy of the pack. */
export const describingModule = 'lumenflow-describe.mjs';

/** Valibot exports no JSON Schema itself: this package of the pack does it. */
export const valibotConverter = '@valibot/to-json-schema';

export interface DescribedExport {
  readonly name: string;
  /** The module exports the name, but its value is undefined. */
  readonly isUndefined?: true;
  /** Whether it can be a handler: a tool or a function. */
  readonly isHandler: boolean;
  /** The argument of defineTool that the manifest's entry is made from. */
  readonly declaration?: Readonly<Record<string, unknown>>;
  /** JSON Schema of the input that callers can send, before defaults are filled in. */
  readonly input?: object;
  readonly output?: object;
  /** Why a schema has no JSON Schema. */
  readonly faults?: readonly string[];
}

export interface DescribedFile {
  readonly file: string;
  readonly exports: readonly DescribedExport[];
}

/** `files` are relative to the pack. */
export function describingSource(files: readonly string[], hasConverter: boolean): string {
  const modules = files.map((file) => `  ${JSON.stringify(file)}: () => import(${JSON.stringify(`./${file}`)}),\n`);
  const converter = hasConverter ? `await import(${JSON.stringify(valibotConverter)})` : 'undefined';
  return `import {isToolDefinition} from '@lumenflow/pack-sdk';
const modules = {\n${modules.join('')}};
const target = 'draft-2020-12';
async function convert(schema, side) {
  const standard = schema['~standard'];
  if (standard?.jsonSchema) return standard.jsonSchema[side]({target});
  const converter = standard?.vendor === 'valibot' ? ${converter} : undefined;
  if (converter) return converter.toJsonSchema(schema, {target, typeMode: side});
  throw new Error('a schema of ' + standard?.vendor + ' cannot be converted to JSON Schema');
}
async function describeExport(name, value) {
  if (value === undefined) return {name, isHandler: false, isUndefined: true};
  if (!isToolDefinition(value)) return {name, isHandler: typeof value === 'function'};
  const described = {name, isHandler: true, declaration: value.declaration};
  const faults = [];
  for (const side of ['input', 'output']) {
    if (!value[side]) continue;
    try {
      const {$schema, ...schema} = await convert(value[side], side);
      described[side] = schema;
    } catch (error) {
      faults.push(side + ': ' + String(error?.message ?? error).split('\\n')[0]);
    }
  }
  return faults.length > 0 ? {...described, faults} : described;
}
export async function describe({files}, {progress}) {
  const described = [];
  for (const file of files) {
    await progress({file});
    const module = await modules[file]();
    const exports = [];
    for (const [name, value] of Object.entries(module)) exports.push(await describeExport(name, value));
    described.push({file, exports});
  }
  return JSON.parse(JSON.stringify(described));
}
`;
}
