// Tools that are programs: what of them is checked when their pack is loaded.
import {expect, test} from 'vitest';
import {greeterWorkspaceForEachTest} from './fixtures/greeter-workspace.ts';
import {describeProblems, greeterManifest} from './fixtures/pack-workspace.ts';

const greeter = greeterWorkspaceForEachTest();

const program = `name: welcome
inputs:
  names: {type: array, items: {type: string}, examples: [[Ada]]}
  word: {type: string, default: Hello}
steps:
  - {call: greet:hello, args: {name: Ada}, as: greeting}
  - {call: other:tool, args: {anything: 1}}
  - {return: '\${greeting}'}
`;

const declared = (keys = '', entry = 'tools/welcome.yaml'): string => `  - name: greet:welcome
    description: Greets several people
    handler_entry: ${entry}
    permission: read
${keys}`;

async function load(text: string, more = declared()) {
  await greeter.workspace.write({
    'packs/greeter/manifest.yaml': greeterManifest(more),
    'packs/greeter/tools/welcome.yaml': text,
  });
  return await greeter.workspace.load();
}

async function problemsOf(text: string, more = declared()): Promise<readonly string[]> {
  return describeProblems((await load(text, more)).problems);
}

test('the inputs of the program are the input schema, also from the cache', async () => {
  for (const _ of ['first', 'cached']) {
    const {packs, problems} = await load(program);
    expect(problems).toEqual([]);
    const tool = packs[0]?.tools.find(({declaration}) => declaration.name === 'greet:welcome');
    expect(tool?.program).toEqual({file: 'packs/greeter/tools/welcome.yaml', text: program});
    expect(tool?.declaration.input_schema).toMatchObject({required: ['names'], examples: [{names: ['Ada']}]});
    expect(tool?.validateInput({word: 1}).map(({message}) => message)).toEqual([
      '`names` is missing',
      '`word` must be a string but is a number (quote it: "1")',
    ]);
  }
});

test('the program is part of what the pack is pinned by', async () => {
  const integrityOf = async (text: string): Promise<string | undefined> => (await load(text)).packs[0]?.integrity;
  const first = await integrityOf(program);
  expect(first).toBeDefined();
  expect(await integrityOf(program.replace('Hello', 'Hi'))).not.toBe(first);
  expect(await integrityOf(program)).toBe(first);
});

test('all mistakes of the program are problems at their positions', async () => {
  const text = program
    .replace('default: Hello', 'default: 1')
    .replace('greet:hello', 'greet:helo')
    .replace('${greeting}', '${greting}')
    .replace('  - {return', '  - {wait_for_approval: Greet?}\n  - {return');
  expect(await problemsOf(text)).toEqual([
    'PROGRAM_INVALID packs/greeter/tools/welcome.yaml:4:33 the default does not match its schema: the value must be a string but is a number (quote it: "1")',
    'PROGRAM_INVALID packs/greeter/tools/welcome.yaml:6:12 the pack has no tool `greet:helo`',
    'PROGRAM_INVALID packs/greeter/tools/welcome.yaml:8:25 a program that is a tool cannot wait for an approval, because its call ends with the process',
    'PROGRAM_INVALID packs/greeter/tools/welcome.yaml:9:17 `greting` is not defined here: did you mean `greeting`?',
  ]);
  expect(await problemsOf('name: welcome\nsteps: [{call: [}]\n')).not.toEqual([]);
});

test('the manifest cannot say what a program does not have', async () => {
  const keys = '    handler: in_process\n    required_env: [TOKEN]\n    input_schema: {type: object}\n';
  expect(await problemsOf(program, declared(keys))).toEqual([
    'PACK_MANIFEST_INVALID packs/greeter/manifest.yaml:16:19 `greet:welcome` is a program, and its inputs are the input schema',
    'PACK_MANIFEST_INVALID packs/greeter/manifest.yaml:14:14 `greet:welcome` is a program, to which `handler` does not apply',
    'PACK_MANIFEST_INVALID packs/greeter/manifest.yaml:15:19 `greet:welcome` is a program, to which `required_env` does not apply',
  ]);
  expect(await problemsOf(program, declared('', 'tools/welcome.yaml#run'))).toEqual([
    'PACK_ENTRY_MISSING packs/greeter/manifest.yaml:12:20 `tools/welcome.yaml` is not a JavaScript, TypeScript or WebAssembly file',
  ]);
  expect(await problemsOf(program, declared('', 'tools/missing.yaml'))).toEqual([
    'PACK_ENTRY_MISSING packs/greeter/manifest.yaml:12:20 `tools/missing.yaml` is not a file of the pack',
  ]);
});
