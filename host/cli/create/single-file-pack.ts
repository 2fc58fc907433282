// The files of a new pack whose tools are declared in their code only: the manifest's entries are generated.
import {projectFiles, type NewPack} from './project-files.ts';
import {tryWorkspace} from './try-workspace.ts';

/** Text by path. */
export function singleFilePack(pack: NewPack): Readonly<Record<string, string>> {
  const {id} = pack;
  return {
    'tools/greet.ts': tool(id),
    'manifest.yaml': manifest(pack),
    'tools.generated.yaml': generated(id),
    'test/greet.test.ts': tests(id),
    'workspace.yaml': tryWorkspace(pack),
    ...projectFiles(pack, {
      files: ['tools.generated.yaml', 'tools'],
      scripts: {manifest: 'lumenflow pack manifest', validate: 'lumenflow pack validate --run'},
      dependencies: {zod: '^4.0.0'},
      devDependencies: {},
    }),
    'README.md': readme(id),
  };
}

const tool = (id: string): string => `import {defineTool} from '@lumenflow/pack-sdk';
import {z} from 'zod';

export const greet = defineTool({
  // The tool's entry in the manifest. After a change, run \`npm run manifest\`; \`npm run dev\` does it by itself.
  declaration: {
    name: '${id}:greet',
    description: 'Greets a person by name',
    permission: 'read',
    // A tool without scopes can access no file and no network. To read files: [{type: 'path', pattern: 'docs/**', access: 'read'}]
    required_scopes: [],
    examples: [{name: 'Ada'}],
  },
  input: z.strictObject({name: z.string().min(1)}),
  output: z.strictObject({greeting: z.string()}),
  run({name}, context) {
    context.log.info('greeting', {name});
    return {greeting: \`Hello, \${name}\`};
  },
});
`;

const manifest = ({id, manifestSchema}: NewPack): string => `# yaml-language-server: $schema=${manifestSchema}
# The tools are declared in tools/, with their schemas. Their entries are in tools.generated.yaml.
id: ${id}
version: 0.1.0
manifest_version: 1
description: A pack of one tool
task_types: [${id}-task]
tools: []
tool_files: [tools.generated.yaml]
`;

/** The output of `lumenflow pack manifest` for the tool above. */
const generated = (id: string): string => `# Generated from tools/ by \`lumenflow pack manifest\`: do not edit.
tools:
  - name: ${id}:greet
    description: Greets a person by name
    handler_entry: tools/greet.ts#greet
    permission: read
    required_scopes: []
    input_schema:
      type: object
      properties:
        name:
          type: string
          minLength: 1
      required:
        - name
      additionalProperties: false
      examples:
        - name: Ada
    output_schema:
      type: object
      properties:
        greeting:
          type: string
      required:
        - greeting
      additionalProperties: false
`;

const tests = (id: string): string => `import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {packConformance, testPack} from '@lumenflow/host/testing';
import {runTool} from '@lumenflow/pack-sdk/testing';
import {greet} from '../tools/greet.ts';

const pack = join(import.meta.dirname, '..');

test('the tool greets, in memory', async () => {
  const {output} = await runTool(greet, {name: 'Ada'});
  assert.deepEqual(output, {success: true, data: {greeting: 'Hello, Ada'}});
});

test('the tool greets, on a real host', async () => {
  const tested = await testPack(pack);
  try {
    const {data} = await tested.call('${id}:greet', {name: 'Ada'});
    assert.deepEqual(data, {greeting: 'Hello, Ada'});
  } finally {
    await tested.close();
  }
});

for (const check of await packConformance(pack)) test(check.name, check.run);
`;

const readme = (id: string): string => `# ${id}

A LumenFlow pack of one tool, \`${id}:greet\`.

| file | contains |
|---|---|
| \`tools/greet.ts\` | the tool: its declaration, its schemas and its handler |
| \`tools.generated.yaml\` | the entries of the manifest, which \`npm run manifest\` generates from \`tools/\` |
| \`manifest.yaml\` | the pack's id and version |
| \`test/greet.test.ts\` | tests in memory and on a real host, and the conformance suite for packs |
| \`workspace.yaml\` | a workspace to try the pack in |

\`\`\`sh
npm install
npm test
npm run manifest  # after a change of a declaration or a schema
npm run check     # the types
npm run validate  # the manifest, and the import of every module
npm run dev       # after every change: the manifest, the tools, the problems, a call
npx lumenflow tools call ${id}:greet name=Ada
\`\`\`
`;
