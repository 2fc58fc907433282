// Tools that are WebAssembly modules: what of them is checked when their pack is loaded.
import {writeFile, mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {greeterWorkspaceForEachTest} from './fixtures/greeter-workspace.ts';
import {describeProblems, greeterManifest} from './fixtures/pack-workspace.ts';

const greeter = greeterWorkspaceForEachTest();

/** The parts of a module: types, imports, functions, memory, exports, code. */
const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const type = [1, 4, 1, 0x60, 0, 0];
const functions = [3, 2, 1, 0];
const memory = [5, 3, 1, 0, 1];
const body = [10, 4, 1, 2, 0, 0x0b];
const name = (text: string): readonly number[] => [text.length, ...Buffer.from(text)];
const section = (id: number, ...items: readonly (readonly number[])[]): readonly number[] => {
  const contents = [items.length, ...items.flat()];
  return [id, contents.length, ...contents];
};
const exporting = (...names: readonly string[]): readonly number[] =>
  section(7, [...name('memory'), 2, 0], ...names.map((one) => [...name(one), 0, 0]));
const moduleOf = (exports: readonly number[], code = body): readonly number[] => [
  ...header,
  ...type,
  ...functions,
  ...memory,
  ...exports,
  ...code,
];

const manifestFile = 'packs/greeter/manifest.yaml';

async function load(bytes: readonly number[], entry: string, tool = '') {
  const manifest = greeterManifest('', tool).replace('tools/greet.ts#greet', entry);
  await greeter.workspace.write({[manifestFile]: manifest});
  const file = join(greeter.workspace.root, 'packs/greeter/tools/greet.wasm');
  await mkdir(dirname(file), {recursive: true});
  await writeFile(file, Uint8Array.from(bytes));
  return await greeter.workspace.load();
}

async function problemsOf(bytes: readonly number[], entry = 'tools/greet.wasm', tool = ''): Promise<readonly string[]> {
  return describeProblems((await load(bytes, entry, tool)).problems);
}

test.each([
  ['tools/greet.wasm', ['run', '_start'], 'run'],
  ['tools/greet.wasm', ['_start', 'other'], '_start'],
  ['tools/greet.wasm#other', ['run', 'other'], 'other'],
])('%s of a module with %j is entered at %s', async (entry, names, expected) => {
  const {packs, problems} = await load(moduleOf(exporting(...names)), entry);
  expect(problems).toEqual([]);
  const [tool] = packs[0]?.tools ?? [];
  expect(tool?.export_name).toBe(expected);
  expect(tool?.module_path).toMatch(/tools\.greet\.wasm$/u);
});

test('the module is part of what the pack is pinned by', async () => {
  const integrityOf = async (bytes: readonly number[]): Promise<string | undefined> =>
    (await load(bytes, 'tools/greet.wasm')).packs[0]?.integrity;
  const first = await integrityOf(moduleOf(exporting('run')));
  expect(await integrityOf(moduleOf(exporting('run', 'more')))).not.toBe(first);
  expect(await integrityOf(moduleOf(exporting('run')))).toBe(first);
});

describe('a mistake is a problem at its position', () => {
  const place =
    'PACK_WASM_INVALID packs/greeter/manifest.yaml:8:20 `packs/greeter/tools/greet.wasm` cannot be used as a WebAssembly module: ';

  test.each<[string, readonly number[], string, string]>([
    ['no module', [...Buffer.from('export const run = 1;')], 'tools/greet.wasm', 'it is not a WebAssembly file'],
    [
      'a component',
      [0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0],
      'tools/greet.wasm',
      'it is a component: make a module of it, or a JavaScript handler with `jco transpile`',
    ],
    ['cut short', moduleOf(exporting('run')).slice(0, -2), 'tools/greet.wasm', 'it is cut short'],
    [
      'without an entry',
      moduleOf(exporting('main')),
      'tools/greet.wasm',
      'it exports no function `run` or `_start`; it exports `main`',
    ],
    [
      'without the named entry',
      moduleOf(exporting('run')),
      'tools/greet.wasm#greet',
      'it exports no function `greet`; it exports `run`',
    ],
    [
      'without a memory',
      moduleOf(section(7, [...name('run'), 0, 0])),
      'tools/greet.wasm',
      'it exports no memory of the name `memory`',
    ],
    [
      'with another import',
      [...header, ...type, ...section(2, [...name('env'), ...name('system'), 0, 0]), ...memory, ...exporting('run')],
      'tools/greet.wasm',
      'it imports the function `env.system`, which no module is given',
    ],
    [
      'with what every object inherits',
      [...header, ...type, ...section(2, [...name('lumenflow'), ...name('constructor'), 0, 0])],
      'tools/greet.wasm',
      'it imports the function `lumenflow.constructor`, which no module is given',
    ],
    [
      'with a memory of its host',
      [...header, ...section(2, [...name('env'), ...name('memory'), 2, 0, 1])],
      'tools/greet.wasm',
      'it imports the memory `env.memory`, which no module is given',
    ],
  ])('%s', async (_what, bytes, entry, message) => {
    expect(await problemsOf(bytes, entry)).toEqual([place + message]);
  });

  test('code that does not compile', async () => {
    const [problem] = await problemsOf(moduleOf(exporting('run'), [10, 5, 1, 3, 0, 0x6a, 0x0b]));
    expect(problem).toContain('Compiling function #0');
  });

  test('what the manifest asks for and no module has', async () => {
    const asked = `    handler: in_process
    required_env: [TOKEN]
    required_scopes: [{type: network, posture: full}]
`;
    expect(await problemsOf(moduleOf(exporting('run')), 'tools/greet.wasm', asked)).toEqual([
      'PACK_WASM_INVALID packs/greeter/manifest.yaml:10:14 the tool `greet:hello` is a WebAssembly module, which the thread pool does not run',
      'PACK_WASM_INVALID packs/greeter/manifest.yaml:11:19 the tool `greet:hello` is a WebAssembly module, which has no environment variables',
      'PACK_WASM_INVALID packs/greeter/manifest.yaml:12:23 the tool `greet:hello` is a WebAssembly module, which has no network',
    ]);
  });
});
