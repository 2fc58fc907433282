// Every mistake in a pack is a problem at its position, and none hides another.
import {describe, expect, test} from 'vitest';
import {greeterWorkspaceForEachTest} from './fixtures/greeter-workspace.ts';
import {describeProblems, greeterManifest, greeterPin} from './fixtures/pack-workspace.ts';

const greeter = greeterWorkspaceForEachTest();

const manifestFile = 'packs/greeter/manifest.yaml';

describe('the manifest', () => {
  test('mistakes of several kinds are reported together', async () => {
    const manifest = greeterManifest(
      'engines: {lumenflow: ^9.0.0}\nconfig_schema: config.json\npolicy_factory: ../outside.ts#rules\n',
      `    input_schema: {type: objct}
  - name: greet:hello
    description: Again
    handler_entry: tools/gone.ts#greet
    permission: read
`,
    ).replace('version: 1.0.0', 'version: 1.1.0');
    expect(await greeter.problemsOf({[manifestFile]: manifest})).toEqual([
      "PACK_PIN_MISMATCH packs/greeter/manifest.yaml:2:10 the manifest's version is `1.1.0`, the pin at workspace.yaml#/packs/0 says `1.0.0`",
      'PACK_ENGINE_MISMATCH packs/greeter/manifest.yaml:15:22 the pack needs LumenFlow `^9.0.0`, this is 0.1.0',
      'PACK_TOOL_DUPLICATE packs/greeter/manifest.yaml:11:11 the tool `greet:hello` is declared at packs/greeter/manifest.yaml:6:11 already',
      'PACK_MANIFEST_INVALID packs/greeter/manifest.yaml:16:16 a config_schema needs a config_key',
      'PACK_ENTRY_MISSING packs/greeter/manifest.yaml:13:20 `tools/gone.ts` is not a file of the pack',
      'PACK_ENTRY_OUTSIDE packs/greeter/manifest.yaml:17:17 `../outside.ts#rules` leads out of the pack',
      'PACK_SCHEMA_INVALID packs/greeter/manifest.yaml:10:26 the JSON Schema cannot be used: `type` is `objct`, which is not one of `array`, `boolean`, `integer`, `null`, `number`, `object`, `string`',
    ]);
  });

  test('a mistake that its schema finds does not hide names and entries that are wrong', async () => {
    const tools = `  - {name: greet hello, description: A tool, handler_entry: tools/gone.ts#greet, permission: read}
  - {name: greet:hello, description: A tool, handler_entry: ../out.ts#out, permission: read}\n  - 5\n`;
    expect(await greeter.problemsOf({[manifestFile]: greeterManifest('', tools)})).toEqual([
      expect.stringContaining(`PACK_MANIFEST_INVALID ${manifestFile}:10:12 \`name\` is \`greet hello\``),
      expect.stringContaining(`PACK_MANIFEST_INVALID ${manifestFile}:12:5 `),
      `PACK_TOOL_DUPLICATE ${manifestFile}:11:12 the tool \`greet:hello\` is declared at ${manifestFile}:6:11 already`,
      `PACK_ENTRY_MISSING ${manifestFile}:10:61 \`tools/gone.ts\` is not a file of the pack`,
      `PACK_ENTRY_OUTSIDE ${manifestFile}:11:61 \`../out.ts#out\` leads out of the pack`,
    ]);
  });

  test('a time limit among the resource limits is reported with its right position', async () => {
    await greeter.workspace.write({[manifestFile]: greeterManifest('', '    limits: {timeout_ms: 5}\n')});
    const {problems} = await greeter.workspace.load([greeterPin()], {});
    expect(problems[0]?.help).toBe('`timeout_ms` belongs beside `limits`, in the tool');
  });

  test.each([
    [
      'an absolute entry',
      greeterManifest().replace('tools/greet.ts', '/etc/x.ts'),
      'PACK_ENTRY_OUTSIDE packs/greeter/manifest.yaml:8:20 `/etc/x.ts#greet` leads out of the pack',
    ],
    [
      'an entry that is no code',
      greeterManifest().replace('tools/greet.ts', 'manifest.yaml'),
      'PACK_ENTRY_MISSING packs/greeter/manifest.yaml:8:20 `manifest.yaml` is not a JavaScript, TypeScript or WebAssembly file',
    ],
    [
      'a range that is none',
      greeterManifest('engines: {lumenflow: newest}\n'),
      'PACK_MANIFEST_INVALID packs/greeter/manifest.yaml:10:22 `newest` is not a valid version range',
    ],
    [
      'a catalogue of a tool that it does not have',
      greeterManifest('config_key: greeting\ncatalogue: {default: all, sets: {core: [greet:helo]}}\n'),
      'PACK_MANIFEST_INVALID packs/greeter/manifest.yaml:11:41 `greet:helo` is not a tool of the pack',
    ],
    [
      'a default that is none of the sets',
      greeterManifest('config_key: greeting\ncatalogue: {default: daily, sets: {core: [greet:hello]}}\n'),
      'PACK_MANIFEST_INVALID packs/greeter/manifest.yaml:11:22 `daily` is not a set of the catalogue',
    ],
    [
      'a tool that is renamed and declared',
      greeterManifest('renamed: {greet:hello: {tool: greet:hello}}\n'),
      'PACK_MANIFEST_INVALID packs/greeter/manifest.yaml:10:24 `greet:hello` is a tool of the pack',
    ],
    [
      'a config_key of the workspace',
      greeterManifest('config_key: lanes\n'),
      'PACK_MANIFEST_INVALID packs/greeter/manifest.yaml:10:13 `lanes` is a key of workspace.yaml itself',
    ],
    [
      'half a character, which has no digest',
      greeterManifest().replace('description: Greets', 'description: "\\ud800"'),
      'PACK_MANIFEST_INVALID packs/greeter/manifest.yaml:6:5 the tool `greet:hello` cannot be approved: the value at `/description` has a surrogate without its pair',
    ],
    [
      'a tool in the domain of the kernel',
      greeterManifest().replace('greet:hello', 'kernel:hello'),
      "PACK_NAME_RESERVED packs/greeter/manifest.yaml:6:11 tools of `kernel:` are the kernel's own",
    ],
    [
      'a completion check that is none of its tools',
      greeterManifest('completion_check: greet:bye\n'),
      'PACK_MANIFEST_INVALID packs/greeter/manifest.yaml:10:19 the check `greet:bye` is not a tool of the pack',
    ],
    [
      'a claim check that is none of its tools',
      greeterManifest('claim_check: greet:bye\n'),
      'PACK_MANIFEST_INVALID packs/greeter/manifest.yaml:10:14 the check `greet:bye` is not a tool of the pack',
    ],
    [
      'a completion check that may write',
      greeterManifest('completion_check: greet:hello\n').replace('permission: read', 'permission: write'),
      'PACK_MANIFEST_INVALID packs/greeter/manifest.yaml:10:19 the check `greet:hello` has the permission `write`, but a check must not change anything',
    ],
    [
      'a preview that is none of its tools',
      greeterManifest().replace('permission: read', 'permission: write\n    preview: greet:bye'),
      'PACK_MANIFEST_INVALID packs/greeter/manifest.yaml:10:14 the preview `greet:bye` is not a tool of the pack',
    ],
    [
      'a preview that may write',
      greeterManifest().replace('permission: read', 'permission: write\n    preview: greet:hello'),
      'PACK_MANIFEST_INVALID packs/greeter/manifest.yaml:10:14 the preview `greet:hello` has the permission `write`, and a preview must not change anything',
    ],
    [
      'an unknown key',
      greeterManifest('tool: []\n'),
      'PACK_MANIFEST_INVALID packs/greeter/manifest.yaml:10:1 unknown key `tool`',
    ],
    [
      'broken YAML',
      'id: [',
      'YAML_SYNTAX packs/greeter/manifest.yaml:1:6 flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
  ])('%s', async (_, manifest, problem) => {
    expect(await greeter.problemsOf({[manifestFile]: manifest})).toEqual([problem]);
  });
});

describe('code', () => {
  const greet = 'packs/greeter/tools/greet.ts';

  test.each([
    [
      'a missing export',
      `export const hello = 1;`,
      [`PACK_EXPORT_MISSING ${manifestFile}:8:20 \`${greet}\` does not export \`greet\``],
    ],
    [
      'no export at all',
      `const greet = 1;`,
      [`PACK_EXPORT_MISSING ${manifestFile}:8:20 \`${greet}\` does not export \`greet\``],
    ],
    [
      'a syntax error',
      `export const greet = {;`,
      [`PACK_CODE_INVALID ${greet}:1:23 expected identifier but found ";"`],
    ],
    [
      'a file that is not there',
      `import './gone.ts'; export const greet = 1;`,
      [`PACK_CODE_INVALID ${greet}:1:8 could not resolve "./gone.ts"`],
    ],
    [
      'a way out of the pack',
      `import '../../../secret.ts'; export const greet = 1;`,
      [`PACK_IMPORT_FORBIDDEN ${greet}:1:8 \`../../../secret.ts\` leads out of the pack`],
    ],
    [
      'an absolute import',
      `import '/etc/passwd'; export const greet = 1;`,
      [`PACK_IMPORT_FORBIDDEN ${greet}:1:8 \`/etc/passwd\` is an absolute path: use a relative one`],
    ],
    [
      'an import by URL',
      `import 'https://e.example/x.js'; export const greet = 1;`,
      [`PACK_IMPORT_FORBIDDEN ${greet}:1:8 \`https://e.example/x.js\` is neither a file of the pack nor a dependency`],
    ],
    [
      'an import of data',
      `import 'data:text/javascript,1'; export const greet = 1;`,
      [`PACK_IMPORT_FORBIDDEN ${greet}:1:8 \`data:text/javascript,1\` is neither a file of the pack nor a dependency`],
    ],
    [
      'an alias of package.json',
      `import '#x'; export const greet = 1;`,
      [`PACK_IMPORT_FORBIDDEN ${greet}:1:8 \`#x\` goes through \`imports\` of package.json: use a relative path`],
    ],
    [
      'an undeclared dependency',
      `import {z} from 'zod'; export const greet = z;`,
      [`PACK_IMPORT_FORBIDDEN ${greet}:1:17 \`zod\` is not among the dependencies in the pack's package.json`],
    ],
    [
      'an undeclared scoped one, by require',
      `export const greet = require('@a/b/c');`,
      [`PACK_IMPORT_FORBIDDEN ${greet}:1:30 \`@a/b\` is not among the dependencies in the pack's package.json`],
    ],
    [
      'the kernel',
      `import '@lumenflow/kernel'; export const greet = 1;`,
      [
        `PACK_IMPORT_FORBIDDEN ${greet}:1:8 \`@lumenflow/kernel\` is not among the dependencies in the pack's package.json`,
      ],
    ],
    [
      'a native addon',
      `import './x.node'; export const greet = 1;`,
      [`PACK_IMPORT_FORBIDDEN ${greet}:1:8 a file of type \`.node\` cannot be bundled`],
    ],
  ])('%s is a problem', async (_, text, problems) => {
    expect(await greeter.problemsOf({[greet]: text, 'packs/greeter/tools/x.node': ''})).toEqual(problems);
  });

  test('an import with a computed path is a warning in a sandboxed handler', async () => {
    const text = `export const greet = {run: (x: string) => import(x)};`;
    await greeter.workspace.write({[greet]: text});
    for (const _ of ['fresh', 'from the cache']) {
      const {packs, problems} = await greeter.workspace.load();
      expect(packs).toHaveLength(1);
      expect(problems).toMatchObject([{code: 'PACK_IMPORT_COMPUTED', severity: 'warning', where: `${greet}:1:43`}]);
    }
  });

  test('all mistakes in all files are reported together', async () => {
    const problems = await greeter.problemsOf({
      [greet]: `import './gone.ts'; import 'zod'; import {word} from './word.js'; export const greet = word;`,
      'packs/greeter/tools/word.ts': `import '../../../x.ts'; export const word = 1;`,
    });
    expect(problems).toHaveLength(3);
  });

  const inProcess = greeterManifest('', '    handler: in_process\n');

  test.each([
    [
      'by a loader of Node',
      {[greet]: `export const greet = {run: () => process.getBuiltinModule('node:fs')};`},
      'process.getBuiltinModule',
      greet,
    ],
    ['itself', {[greet]: `import {join} from 'node:path'; export const greet = join;`}, 'node:path', greet],
    [
      'by another file',
      {'packs/greeter/tools/word.ts': `import fs from 'fs'; export const word = fs;`},
      'fs',
      'packs/greeter/tools/word.ts',
    ],
    [
      'by a dependency',
      {
        'packs/greeter/package.json': '{"dependencies": {"dep": "*"}}',
        'packs/greeter/node_modules/dep/index.js': `module.exports = require('node:child_process');`,
        'packs/greeter/tools/word.ts': `import dep from 'dep'; export const word = dep;`,
      },
      'node:child_process',
      'packs/greeter/node_modules/dep/index.js',
    ],
  ])('an in-process handler must not reach Node, %s', async (_, files, builtin, importer) => {
    expect(await greeter.problemsOf({[manifestFile]: inProcess, ...files})).toEqual([
      `PACK_IMPORT_FORBIDDEN ${manifestFile}:8:20 \`greet\` of \`${greet}\` reaches \`${builtin}\`, imported by \`${importer}\``,
    ]);
    expect(await greeter.problemsOf({[manifestFile]: greeterManifest()})).toEqual([]);
  });

  test('when two tools share a handler, the stricter one applies', async () => {
    const second = `  - {name: greet:again, description: x, handler_entry: tools/greet.ts#greet, permission: read, handler: in_process}\n`;
    const problems = await greeter.problemsOf({
      [manifestFile]: greeterManifest('', second),
      [greet]: `import 'node:fs'; export const greet = 1;`,
    });
    expect(problems).toEqual([expect.stringContaining(`${manifestFile}:10:56 \`greet\``)]);
  });

  test('an invalid package.json', async () => {
    expect(await greeter.problemsOf({'packs/greeter/package.json': '{'})).toEqual([
      expect.stringMatching(/^PACK_FILE_INVALID packs\/greeter\/package.json the file is not JSON/),
    ]);
  });
});

test('tools and config_keys of two packs that collide are rejected, and both packs are named', async () => {
  const other = greeterManifest('config_key: greeting\n').replace('id: greeter', 'id: other');
  await greeter.workspace.write({
    [manifestFile]: greeterManifest('config_key: greeting\n'),
    'packs/other/manifest.yaml': other,
    'packs/other/tools/greet.ts': 'export const greet = 1;',
  });
  const {problems} = await greeter.workspace.load([greeterPin(), greeterPin({id: 'other', path: 'packs/other'})]);
  expect(describeProblems(problems)).toEqual([
    'PACK_TOOL_DUPLICATE packs/other/manifest.yaml:6:11 the tool `greet:hello` of the pack `other` is declared by the pack `greeter` too, at packs/greeter/manifest.yaml:6:11',
    'PACK_CONFIG_KEY_DUPLICATE packs/other/manifest.yaml:10:13 the config_key `greeting` of the pack `other` is declared by the pack `greeter` too, at packs/greeter/manifest.yaml:10:13',
  ]);
});
