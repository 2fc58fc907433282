// A client must be able to use a tool's description on its own: tested for all tools of the repository.
import type {GovernedTool} from '@lumenflow/kernel';
import {createSchemaCompiler} from '@lumenflow/kernel/node';
import type {ToolDeclaration} from '@lumenflow/schemas';
import {Ajv2020} from 'ajv/dist/2020.js';
import {existsSync, readdirSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join, sep} from 'node:path';
import {describe, expect, test} from 'vitest';
import {embedReferences} from '../packs/schemas/embed-references.ts';
import {pinOfFolder} from '../packs/manifest/pin-of-folder.ts';
import type {Schema} from '../packs/schemas/schema-keywords.ts';
import {withSchemas} from '../packs/with-schemas.ts';
import {describeTool} from './describe-tool.ts';

const repository = join(import.meta.dirname, '..', '..');
const folders = ['packs', 'examples']
  .flatMap((parent) => readdirSync(join(repository, parent)).map((name) => join(repository, parent, name)))
  .flatMap((folder) => [folder, join(folder, 'desk-pack'), join(folder, 'orders-pack')])
  .filter((folder) => existsSync(join(folder, 'manifest.yaml')));

interface WholeTool {
  readonly declaration: ToolDeclaration;
  /** As the loader's validators receive them. */
  readonly input: Schema;
  readonly output: Schema;
}

async function toolsIn(folder: string): Promise<readonly WholeTool[]> {
  const found = await pinOfFolder(folder, '.');
  if (!found.ok) throw new Error(`${folder} has no sound manifest`);
  const files = {read: async (path: string) => await readFile(join(folder, path))};
  return await Promise.all(
    found.value.manifest.tools.map(async (declared) => {
      const input = await embedReferences(declared.input_schema ?? {}, 'manifest.yaml', files);
      const output = await embedReferences(declared.output_schema ?? {}, 'manifest.yaml', files);
      return {declaration: withSchemas(declared, {input, output}), input, output};
    }),
  );
}

function described(declaration: ToolDeclaration): ReturnType<typeof describeTool> {
  const granted_scopes = {read: [], write: [], network: {posture: 'off'}};
  const governed = {tool: {name: declaration.name, declaration}, decision: 'allow', granted_scopes};
  return describeTool(governed as unknown as GovernedTool, new Set());
}

// No schema compiled here has an `$id`, so none can refer to another.
const ajv = new Ajv2020({strict: false, validateFormats: false});

function judgeOf(schema: object): (value: unknown) => boolean {
  const validate = ajv.compile(schema);
  return (value) => validate(value);
}

/** Values of many shapes, some of which match the schema. */
function valuesFor(schema: Schema): readonly unknown[] {
  const properties = Object.keys(schema['properties'] ?? {});
  const required = (schema['required'] ?? []) as readonly string[];
  const filled = ['a-1', 1, true, ['a-1']].map((value) => Object.fromEntries(required.map((key) => [key, value])));
  const single = properties.flatMap((key) =>
    ['a-1', 0, null, [{}], {a: 1}].map((value) => ({...filled[0], [key]: value})),
  );
  return [...((schema['examples'] ?? []) as readonly unknown[]), {}, {unheard_of: 1}, ...filled, ...single];
}

const compiler = createSchemaCompiler();

describe.each(folders.map((folder) => [folder.slice(repository.length + 1), folder]))('%s', (_, folder) => {
  test("each schema compiles alone, and gives the host's results", async () => {
    const tools = await toolsIn(folder);
    expect(tools.length).toBeGreaterThan(0);
    for (const {declaration, input, output} of tools) {
      const {inputSchema, outputSchema} = described(declaration);
      expect(JSON.stringify([inputSchema, outputSchema, declaration])).not.toMatch(/"\$ref":"[^#]|"\$id"/u);
      const pairs = [
        [inputSchema, declaration.input_schema, input],
        [outputSchema ?? {}, declaration.output_schema, output],
      ] as const;
      for (const [offered, alone = {}, whole] of pairs) {
        const [judgeOffered, judge, validate] = [judgeOf(offered), judgeOf(alone), compiler.compileLater(whole)];
        for (const value of valuesFor(alone)) {
          const isValid = validate(value).length === 0;
          expect([declaration.name, value, judge(value)]).toEqual([declaration.name, value, isValid]);
          if (isValid) expect([declaration.name, value, judgeOffered(value)]).toEqual([declaration.name, value, true]);
          else if (offered === inputSchema) expect(judgeOffered(value)).toBe(false);
        }
      }
    }
  });
});

test('a tool of the first-party packs takes 1.5 kB on average', async () => {
  const packs = folders.filter((folder) => folder.includes(`${sep}packs${sep}`));
  const tools = (await Promise.all(packs.map(toolsIn))).flat().map(({declaration}) => declaration);
  const listed = tools.filter(({internal_only, audience}) => internal_only !== true && audience !== 'host');
  const bytes = listed.map((declaration) => JSON.stringify(described(declaration)).length);
  expect(bytes.reduce((sum, size) => sum + size, 0) / bytes.length).toBeLessThan(1_500);
});

const tree = {
  type: 'object',
  required: ['leaf'],
  properties: {leaf: {$ref: '#/$defs/leaf'}, more: {type: 'array', items: {$ref: '#'}}},
  additionalProperties: false,
  $defs: {leaf: {type: 'string'}},
};
const failure = {code: 'X', message: 'x'};
const plain: ToolDeclaration = {
  name: 'p:tree',
  description: 'Gives a tree',
  handler_entry: 'a.js#a',
  permission: 'read',
  output_schema: tree,
};

test.each([
  ['a recursive result', plain],
  [
    'the structured content of a result of the protocol',
    {
      ...plain,
      mcp: {kind: 'tool'},
      output_schema: {
        type: 'object',
        properties: {structuredContent: {$ref: '#/$defs/tree'}},
        $defs: {
          leaf: {type: 'string'},
          tree: {
            ...tree,
            properties: {leaf: {$ref: '#/$defs/leaf'}, more: {type: 'array', items: {$ref: '#/$defs/tree'}}},
          },
        },
      },
    } satisfies ToolDeclaration,
  ],
])('beside a failure, %s keeps the types of its members', (_, declaration) => {
  const {outputSchema = {}} = described(declaration);
  const judge = judgeOf(outputSchema);
  for (const value of [failure, {leaf: 'a'}, {leaf: 'a', more: [{leaf: 'b', more: []}]}])
    expect(judge(value)).toBe(true);
  for (const value of [{}, {leaf: 1}, {leaf: 'a', more: 'b'}]) expect(judge(value)).toBe(false);
});
