// Tools in additional files are loaded in order, reported at their positions, and hashed like every file.
import {readdir, readFile, rm, stat, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {stageWithTimeouts} from '../../testing/stage-with-timeouts.ts';
import {greeterWorkspaceForEachTest, runBuilt} from '../fixtures/greeter-workspace.ts';
import {greeterManifest} from '../fixtures/pack-workspace.ts';
import {pinOfFolder} from './pin-of-folder.ts';

const greeter = greeterWorkspaceForEachTest();

const manifestFile = 'packs/greeter/manifest.yaml';
const toolFile = (name: string, entry: string, more = ''): string => `tools:
  - name: ${name}
    description: Leaves
    handler_entry: ${entry}
    permission: read
${more}`;

/** The manifest's own tool, then one of `manifest/bye.yaml` and one of `more.yml`. */
const files = {
  [manifestFile]: greeterManifest('tool_files: [manifest/bye.yaml, ./more.yml]\n'),
  'packs/greeter/manifest/bye.yaml': toolFile('greet:bye', 'tools/bye.ts#bye'),
  'packs/greeter/more.yml': toolFile(
    'greet:late',
    'tools/bye.ts#late',
    '    input_schema: {$ref: later.json, allOf: [{type: string}]}\n',
  ),
  'packs/greeter/later.json': '{"type": "string"}',
  'packs/greeter/tools/bye.ts': 'export const bye = {run: () => 1}; export const late = {run: () => 2};',
};

test('its tools follow those of the manifest, file by file', async () => {
  await greeter.workspace.write(files);
  const pack = await greeter.workspace.loadOne();
  expect(pack.manifest.tools.map(({name}) => name)).toEqual(['greet:hello', 'greet:bye', 'greet:late']);
  expect(pack.tools.map(({where}) => where)).toEqual([
    'packs/greeter/manifest.yaml:6:5',
    'packs/greeter/manifest/bye.yaml:2:5',
    'packs/greeter/more.yml:2:5',
  ]);
  expect(pack.where('/tools/2/permission')).toBe('packs/greeter/more.yml:5:17');
  expect(pack.where('/tools/3')).toBe('packs/greeter/manifest.yaml:6:3');
  expect(await runBuilt(pack, {}, 1)).toBe(1);
  expect(pack.tools[2]?.validateInput(5)).toHaveLength(1);
});

test("a changed byte in it changes the pack's hash", async () => {
  await greeter.workspace.write(files);
  const {integrity} = await greeter.workspace.loadOne();
  await greeter.workspace.write({'packs/greeter/more.yml': `${files['packs/greeter/more.yml']}# \n`});
  expect((await greeter.workspace.loadOne()).integrity).not.toBe(integrity);
});

test.each([
  [
    {'packs/greeter/more.yml': toolFile('greet:bye', 'tools/gone.ts#late')},
    [
      'PACK_TOOL_DUPLICATE packs/greeter/more.yml:2:11 the tool `greet:bye` is declared at packs/greeter/manifest/bye.yaml:2:11 already',
      'PACK_ENTRY_MISSING packs/greeter/more.yml:4:20 `tools/gone.ts` is not a file of the pack',
    ],
  ],
  [
    {'packs/greeter/more.yml': 'tools: []\npolicies: []\n', 'packs/greeter/manifest/bye.yaml': 'tools: ['},
    [
      'YAML_SYNTAX packs/greeter/manifest/bye.yaml:1:9 flow sequence in block collection must be sufficiently indented and end with a ]',
      'PACK_MANIFEST_INVALID packs/greeter/more.yml:2:1 unknown key `policies`',
    ],
  ],
  [
    {[manifestFile]: greeterManifest('tool_files: [manifest/gone.yaml, ../more.yml]\n')},
    [
      'PACK_ENTRY_MISSING packs/greeter/manifest.yaml:10:14 `manifest/gone.yaml` is not a file of the pack',
      'PACK_ENTRY_OUTSIDE packs/greeter/manifest.yaml:10:34 `../more.yml` leads out of the pack',
    ],
  ],
])('what is wrong is reported at its place: %j', async (changes, problems) => {
  expect(await greeter.problemsOf({...files, ...changes})).toEqual(problems);
});

test('a folder of a pack in development is read with them', async () => {
  await greeter.workspace.write(files);
  const folder = join(greeter.workspace.root, 'packs/greeter');
  expect(await pinOfFolder(folder, '.')).toMatchObject({
    value: {manifest: {tools: [{name: 'greet:hello'}, {name: 'greet:bye'}, {name: 'greet:late'}]}},
  });
  await greeter.workspace.write({[manifestFile]: greeterManifest('tool_files: [gone.yaml, tools.yaml/x.yaml]\n')});
  expect(await pinOfFolder(folder, '.')).toMatchObject({problem: [{code: 'PACK_ENTRY_MISSING'}, {}]});
});

test('a copy with other time limits has them in all files', async () => {
  await greeter.workspace.write(files);
  const staged = await stageWithTimeouts(join(greeter.workspace.root, 'packs/greeter'), 7);
  try {
    for (const path of ['manifest.yaml', 'manifest/bye.yaml', 'more.yml']) {
      expect(await readFile(join(staged.folder, path), 'utf8')).toContain('timeout_ms: 7\n');
    }
  } finally {
    await staged.remove();
  }
  await expect(stat(staged.folder)).rejects.toMatchObject({code: 'ENOENT'});
});

test('cached files give the same value, positions and mistakes, and a damaged cache is rebuilt', async () => {
  await greeter.workspace.write(files);
  const folder = join(greeter.workspace.root, '.lumenflow/cache/manifests');
  const load = async (): Promise<unknown> => {
    const {manifest, tools, where} = await greeter.workspace.loadOne();
    const places = [
      '/tools/2/permission',
      '/tools/2/input_schema/$ref',
      '/tools/2/input_schema/allOf/0/type',
      '/tools/0/required_scopes/0',
      '/tools/2/name/x/y',
      '/none/at/all',
    ];
    return [manifest, tools.map((tool) => tool.where), places.map(where)];
  };
  const first = await load();
  const kept = await readdir(folder);
  expect(kept).toHaveLength(3);
  expect(await load()).toEqual(first);
  for (const name of kept) await writeFile(join(folder, name), '{"value": ');
  expect(await load()).toEqual(first);
  expect(await greeter.problemsOf({'packs/greeter/more.yml': 'tools: {}\n'})).toHaveLength(1);
  expect(await readdir(folder)).toHaveLength(3);
});

test('a cache that grows is cut to its newest entries, and an unwritable cache is skipped', async () => {
  const folder = join(greeter.workspace.root, '.lumenflow/cache/manifests');
  for (let index = 0; index < 70; index++) {
    await greeter.workspace.write({[`.lumenflow/cache/manifests/${index}.json`]: '{}'});
    await utimes(join(folder, `${index}.json`), index, index);
  }
  await greeter.workspace.loadOne();
  const left = await readdir(folder);
  expect(left).toHaveLength(64);
  expect(left).not.toContain('6.json');
  await rm(folder, {recursive: true});
  await writeFile(folder, 'no folder');
  expect((await greeter.workspace.loadOne()).manifest.id).toBe('greeter');
});
