// Reads the JSON Schemas from a pack's tool definitions. The pack's code runs in a separate process with only PATH, as in its
// tests, and never in the host.
import type {LoadedPack} from '@lumenflow/kernel';
import {createSpawnExecutor} from '@lumenflow/sandbox';

export interface ToolSchemas {
  readonly tool: string;
  /** The input that callers can send, before defaults are filled in. */
  readonly input?: object;
  /** The tool's output. */
  readonly output?: object;
  /** Why a schema has no JSON Schema. */
  readonly problems: readonly string[];
}

const timeoutMs = 60_000;
const outputMaxBytes = 16 * 1024 * 1024;

/** In the order of the tools. Rejects with the process's output if it fails. */
export async function readToolSchemas({root, tools}: LoadedPack, searchPath: string): Promise<readonly ToolSchemas[]> {
  const asked = tools.map(({declaration, module_path, export_name}) => ({
    tool: declaration.name,
    module: module_path,
    name: export_name,
  }));
  const ended = await createSpawnExecutor().run({
    command: process.execPath,
    args: ['--input-type=module', '--eval', program, JSON.stringify({root, asked})],
    cwd: root,
    env: {PATH: searchPath},
    outputSink: {kind: 'capture', maxBytes: outputMaxBytes},
    timeoutMs,
  });
  const answer = ended.stdout.split(marker).at(1);
  if (ended.exitCode !== 0 || answer === undefined) {
    const said = ended.stderr.trim().split('\n');
    throw new Error(
      `the pack's tools cannot be loaded: ${said.find((line) => /^\w*Error\b/u.test(line)) ?? said.at(-1)}`,
    );
  }
  return JSON.parse(answer) as readonly ToolSchemas[];
}

/** The answer follows this marker, whatever the pack prints. */
const marker = '\u0001lumenflow-schemas\u0001';

/** Schemas export their own JSON Schema (Standard JSON Schema); valibot uses a separate package for that. */
const program = `
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
const {root, asked} = JSON.parse(process.argv[1]);
const target = 'draft-2020-12';
async function convert(schema, side) {
  const standard = schema['~standard'];
  if (standard?.jsonSchema) return standard.jsonSchema[side]({target});
  if (standard?.vendor !== 'valibot') throw new Error('a schema of ' + standard?.vendor + ' cannot be converted to JSON Schema');
  const file = createRequire(join(root, 'manifest.yaml')).resolve('@valibot/to-json-schema');
  const {toJsonSchema} = await import(pathToFileURL(file));
  return toJsonSchema(schema, {target, typeMode: side});
}
const answers = [];
for (const {tool, module, name} of asked) {
  // A WebAssembly module has no schemas: those of its tools are in the manifest.
  const definition = module.endsWith('.wasm') ? undefined : (await import(pathToFileURL(module)))[name];
  const answer = {tool, problems: []};
  for (const side of ['input', 'output']) {
    if (!definition?.[side]) continue;
    try {
      const {$schema, ...schema} = await convert(definition[side], side);
      answer[side] = schema;
    } catch (error) {
      answer.problems.push(side + ': ' + error.message.split('\\n')[0]);
    }
  }
  answers.push(answer);
}
process.stdout.write('${marker}' + JSON.stringify(answers) + '${marker}');
process.exit();
`;
