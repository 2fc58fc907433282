// Packs load and run wherever Node can import modules from, and are refused elsewhere.
import {execFileSync} from 'node:child_process';
import {mkdir, rename, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {afterEach, expect, test} from 'vitest';
import {
  createPackWorkspace,
  describeProblems,
  greeterFiles,
  greeterPin,
  type PackWorkspace,
} from './fixtures/pack-workspace.ts';
import {createPackSource} from './pack-source.ts';

let workspace: PackWorkspace | undefined;
afterEach(async () => await workspace?.remove());

async function greeterIn(name: string): Promise<PackWorkspace> {
  workspace = await createPackWorkspace(name);
  await workspace.write(greeterFiles);
  return workspace;
}

test('a pack runs below a folder whose name is odd in URLs, shells and options', async () => {
  const workspace = await greeterIn('a#b?c%41d%2Fe%f:g,h i\nj-é日本"k\'l$`*[m]{n}=o');
  const [tool] = (await workspace.loadOne()).tools;
  const url = JSON.stringify(pathToFileURL(tool?.module_path ?? '').href);
  // A process, because the modules of a test are not loaded by Node.
  const script = `import(${url}).then(async ({greet}) => console.log(await greet.run({name: 'world'})))`;
  expect(execFileSync(process.execPath, ['-e', script], {encoding: 'utf8'})).toBe("{ greeting: 'hello world' }\n");
});

const refused = (path: string): readonly string[] => [
  `PACK_FILE_INVALID workspace.yaml#/packs/0 the path \`${path}\` contains a backslash, and Node cannot import modules from it`,
];

test('a workspace with a backslash in its path loads no pack', async () => {
  const {root, load} = await greeterIn('a\\b');
  const {packs, problems} = await load();
  expect(packs).toEqual([]);
  expect(describeProblems(problems)).toEqual(refused(join(root, 'packs/greeter')));
  expect(problems[0]?.help).toBe('rename the folder that has a backslash in its name');
});

test('a link does not hide the folder that a pack is in', async () => {
  const {root, load} = await greeterIn('');
  await mkdir(join(root, 'c\\d'));
  await rename(join(root, 'packs/greeter'), join(root, 'c\\d/greeter'));
  await symlink(join(root, 'c\\d/greeter'), join(root, 'packs/greeter'));
  expect(describeProblems((await load()).problems)).toEqual(refused(join(root, 'c\\d/greeter')));
});

test('packs are not built into such a folder', async () => {
  const {root} = await greeterIn('');
  const cacheFolder = join(root, 'e\\f');
  const source = createPackSource({workspaceRoot: root, lumenflowVersion: '0.1.0', cacheFolder});
  const {problems} = await source.load({pins: [greeterPin()], configs: {}, locate: (at) => `workspace.yaml#${at}`});
  source.close();
  expect(describeProblems(problems)).toEqual(refused(cacheFolder));
});
