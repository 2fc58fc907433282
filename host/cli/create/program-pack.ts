// The files of a new pack with a program: a tool that is a composition of calls, here of the other tool of the pack.
import {projectFiles, type NewPack} from './project-files.ts';
import {tryWorkspace} from './try-workspace.ts';

/** Text by path. */
export function programPack(pack: NewPack): Readonly<Record<string, string>> {
  const {id} = pack;
  return {
    'manifest.yaml': manifest(pack),
    'programs/greet-all.yaml': program(pack),
    'tools/greet.ts': tool,
    'test/greet-all.test.ts': tests(id),
    'workspace.yaml': tryWorkspace(pack),
    ...projectFiles(pack, {
      files: ['programs', 'tools'],
      scripts: {validate: 'lumenflow pack validate --run'},
      dependencies: {},
      devDependencies: {},
    }),
    'README.md': readme(id),
  };
}

const manifest = ({id, manifestSchema}: NewPack): string => `# yaml-language-server: $schema=${manifestSchema}
# The tools of this pack: what they may access, and their inputs and outputs. The inputs of a program are in its file.
id: ${id}
version: 0.1.0
manifest_version: 1
description: A pack of a program and the tool that it calls
task_types: [${id}-task]
tools:
  - name: ${id}:greet-all
    description: Greets several people by name
    handler_entry: programs/greet-all.yaml
    permission: read
    # The calls of the program can access at most this. To read files: [{type: path, pattern: 'docs/**', access: read}]
    required_scopes: []
    output_schema:
      type: object
      required: [greetings]
      additionalProperties: false
      properties: {greetings: {type: array, items: {type: string}}}
  - name: ${id}:greet
    description: Greets a person by name
    handler_entry: tools/greet.ts#greet
    permission: read
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

const program = ({id, programSchema}: NewPack): string => `# yaml-language-server: $schema=${programSchema}
name: greet-all
description: Greets several people by name.
inputs:
  names: {type: array, items: {type: string, minLength: 1}, maxItems: 20, examples: [[Ada, Bob]]}
steps:
  - foreach: inputs.names
    item: name
    max: 20
    parallel: 4
    steps:
      - {call: '${id}:greet', args: {name: '\${name}'}, as: greeted}
    collect: \${greeted.greeting}
    as: greetings
  - return: {greetings: '\${greetings}'}
`;

const tool = `import {defineTool} from '@lumenflow/pack-sdk';

export const greet = defineTool<{readonly name: string}, {readonly greeting: string}>({
  run: ({name}) => ({greeting: \`Hello, \${name}\`}),
});
`;

const tests = (id: string): string => `import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {packConformance, testPack} from '@lumenflow/host/testing';

const pack = join(import.meta.dirname, '..');

test('the program greets everyone, in order', async () => {
  const tested = await testPack(pack);
  try {
    const {data} = await tested.call('${id}:greet-all', {names: ['Ada', 'Bob']});
    assert.deepEqual(data, {greetings: ['Hello, Ada', 'Hello, Bob']});
  } finally {
    await tested.close();
  }
});

for (const check of await packConformance(pack)) test(check.name, check.run);
`;

const readme = (id: string): string => `# ${id}

A LumenFlow pack of two tools. \`${id}:greet-all\` is a program, a composition of calls without code. It calls \`${id}:greet\`.

| file | contains |
|---|---|
| \`programs/greet-all.yaml\` | the program: its inputs and its steps |
| \`tools/greet.ts\` | the tool that it calls |
| \`manifest.yaml\` | what both may access, and their inputs and outputs |
| \`test/greet-all.test.ts\` | a test on a real host, and the conformance suite for packs |
| \`workspace.yaml\` | a workspace to try the pack in |

\`\`\`sh
npm install
npm test
npm run check     # the types
npm run validate  # the manifest and the program, and the import of every module
npm run dev       # after every change: the tools, the problems, a call
npx lumenflow tools call ${id}:greet-all names=Ada,Bob
npx lumenflow program check programs/greet-all.yaml
\`\`\`
`;
