// The files of a new pack: a tool, a rule, a config and their tests, as a start for the author.

import {projectFiles, type NewPack} from './project-files.ts';
import {tryWorkspace} from './try-workspace.ts';

/** Text by path. */
export function newPackFiles(pack: NewPack): Readonly<Record<string, string>> {
  const configKey = pack.id.replaceAll('-', '_');
  return {
    'manifest.yaml': manifest(pack, configKey),
    'config.schema.json': configSchema,
    'pack-types.ts': packTypes,
    'tools/greet.ts': tool,
    'policies/greet-policy.ts': policy(pack.id),
    'test/greet.test.ts': tests(pack.id),
    'workspace.yaml': workspace(pack, configKey),
    ...projectFiles(pack, {
      files: ['config.schema.json', 'pack-types.ts', 'tools', 'policies'],
      scripts: {types: 'lumenflow pack types', validate: 'lumenflow pack validate --run'},
      dependencies: {},
      devDependencies: {'json-schema-to-typescript': '^16.0.0'},
    }),
    'README.md': readme(pack.id, configKey),
  };
}

const manifest = (
  {id, manifestSchema}: NewPack,
  configKey: string,
): string => `# yaml-language-server: $schema=${manifestSchema}
# The tools of this pack: what they may access, and their inputs and outputs.
id: ${id}
version: 0.1.0
manifest_version: 1
description: A pack of one tool
task_types: [${id}-task]
config_key: ${configKey}
config_schema: config.schema.json
policy_factory: policies/greet-policy.ts#greetPolicy
tools:
  - name: ${id}:greet
    description: Greets a person by name
    handler_entry: tools/greet.ts#greet
    permission: read
    # A tool without scopes can access no file and no network. To read files: [{type: path, pattern: 'docs/**', access: read}]
    required_scopes: []
    input_schema:
      type: object
      required: [name]
      additionalProperties: false
      properties: {name: {type: string, minLength: 1}}
      examples: [{name: Ada}]
    output_schema:
      type: object
      required: [greeting]
      additionalProperties: false
      properties: {greeting: {type: string}}
`;

const configSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "greeting": {"description": "The first word; default Hello.", "type": "string", "minLength": 1},
    "never_greet": {"description": "Names that are not greeted.", "type": "array", "items": {"type": "string"}}
  }
}
`;

/** The output of `lumenflow pack types` for the manifest and the config schema above. */
const packTypes = `// Generated from manifest.yaml by \`lumenflow pack types\`: do not edit.

export interface PackConfig {
  /**
   * The first word; default Hello.
   */
  greeting?: string;
  /**
   * Names that are not greeted.
   */
  never_greet?: string[];
}
export interface GreetInput {
  name: string;
}
export interface GreetOutput {
  greeting: string;
}
`;

const tool = `import {defineTool} from '@lumenflow/pack-sdk';
import type {GreetInput, GreetOutput, PackConfig} from '../pack-types.ts';

export const greet = defineTool<GreetInput, GreetOutput, PackConfig>({
  run({name}, context) {
    context.log.info('greeting', {name});
    return {greeting: \`\${context.config.greeting ?? 'Hello'}, \${name}\`};
  },
});
`;

const policy = (id: string): string => `import {definePolicyFactory} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-types.ts';

// Rules can only tighten what the workspace allows.
export const greetPolicy = definePolicyFactory<PackConfig>(({config}) => [
  {
    id: 'never-greet',
    trigger: 'on_tool_request',
    decision: 'deny',
    reason: 'the config says not to greet this name',
    when: ({tool_name, tool_arguments}) => {
      // Arguments are absent until a call is made.
      const name = String(tool_arguments?.['name'] ?? '');
      return tool_name === '${id}:greet' && (config.never_greet ?? []).includes(name);
    },
  },
]);
`;

const tests = (id: string): string => `import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {packConformance, testPack} from '@lumenflow/host/testing';
import {runTool} from '@lumenflow/pack-sdk/testing';
import {greet} from '../tools/greet.ts';

const pack = join(import.meta.dirname, '..');

test('the tool greets, in memory', async () => {
  const {output} = await runTool(greet, {name: 'Ada'}, {config: {greeting: 'Good morning'}});
  assert.deepEqual(output, {success: true, data: {greeting: 'Good morning, Ada'}});
});

test('the policy applies, on a real host', async () => {
  const tested = await testPack(pack, {config: {never_greet: ['Bob']}});
  try {
    const ada = await tested.call('${id}:greet', {name: 'Ada'});
    assert.deepEqual(ada.data, {greeting: 'Hello, Ada'});
    const bob = await tested.call('${id}:greet', {name: 'Bob'});
    assert.equal(bob.error?.code, 'POLICY_DENIED');
  } finally {
    await tested.close();
  }
});

for (const check of await packConformance(pack)) test(check.name, check.run);
`;

const workspace = (pack: NewPack, configKey: string): string => `${tryWorkspace(pack)}${configKey}:
  greeting: Hello
  never_greet: [Bob]
`;

const readme = (id: string, configKey: string): string => `# ${id}

A LumenFlow pack of one tool, \`${id}:greet\`.

| file | contains |
|---|---|
| \`manifest.yaml\` | the tools with their scopes, inputs and outputs |
| \`tools/greet.ts\` | the handler of the tool |
| \`policies/greet-policy.ts\` | the rules of the pack, which depend on its config |
| \`pack-types.ts\` | types of the tools and the config, generated by \`npm run types\` |
| \`config.schema.json\` | the schema of the settings in workspace.yaml under \`${configKey}:\` |
| \`test/greet.test.ts\` | tests in memory and on a real host, and the conformance suite for packs |
| \`workspace.yaml\` | a workspace to try the pack in |

\`\`\`sh
npm install
npm test
npm run check     # the types
npm run validate  # the manifest, and the import of every module
npm run dev       # after every change: the tools, the problems, a call
npx lumenflow tools call ${id}:greet name=Ada
\`\`\`
`;
