import {chmod, readdir, readFile, stat, utimes, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {greeterWorkspaceForEachTest, runBuilt} from './fixtures/greeter-workspace.ts';
import {greeterFiles, greeterManifest, greeterPin} from './fixtures/pack-workspace.ts';
import {gitPackFolder} from './resolve-pack.ts';

const greeter = greeterWorkspaceForEachTest();

describe('a valid pack', () => {
  test('is loaded with its tools, its hash, its config and its rules', async () => {
    await greeter.workspace.write({
      'packs/greeter/manifest.yaml': greeterManifest(
        'config_key: greeting\npolicies:\n  - {id: quiet, trigger: on_claim, decision: deny, when: {lane: x}}\n',
      ),
    });
    const pack = await greeter.workspace.loadOne(greeterPin(), {greeting: {loud: true}});
    expect(await runBuilt(pack, {name: 'Ada'})).toEqual({greeting: 'hello Ada'});
    expect(pack).toMatchObject({
      pin: greeterPin(),
      root: join(greeter.workspace.root, 'packs/greeter'),
      config: {loud: true},
      integrity: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
      tools: [{export_name: 'greet', where: 'packs/greeter/manifest.yaml:6:5'}],
    });
    const [placed] = pack.rules;
    expect(placed?.where).toBe('packs/greeter/manifest.yaml:12:5');
    expect(placed?.locate?.('/when/lane')).toBe('packs/greeter/manifest.yaml:12:65');
    expect(pack.where('/tools/0/permission')).toBe('packs/greeter/manifest.yaml:9:17');
  });

  test.each([
    ['greet.mts', `export const greet = {run: (x: unknown) => ({greeting: x})};`],
    ['greet.mjs', `export const greet = {run: (x) => ({greeting: x})};`],
    ['greet.js', `export const greet = {run: (x) => ({greeting: x})};`],
    [
      'greet.cjs',
      `const {basename} = require('node:path'); exports.greet = {run: (x) => ({greeting: x, in: basename(__dirname).length})};`,
    ],
    ['greet.js', `const greet = {run: (x) => ({greeting: x})}; module.exports = {greet};`],
    [
      'greet.ts',
      `import {createRequire} from 'node:module';
      const require = createRequire(import.meta.url);
      export const greet = {run: (x: unknown) => ({greeting: x, sep: require('node:path').sep as string})};`,
    ],
  ])('may be written as %s', async (file, text) => {
    await greeter.workspace.write({
      'packs/greeter/manifest.yaml': greeterManifest().replace('greet.ts', file),
      [`packs/greeter/tools/${file}`]: text,
    });
    expect(await runBuilt(await greeter.workspace.loadOne(), 5)).toMatchObject({greeting: 5});
  });

  test("bundles its dependencies: its build imports only Node's modules at run time", async () => {
    await greeter.workspace.write({
      'node_modules/dep/package.json': '{"name": "dep", "main": "index.js"}',
      'node_modules/dep/index.js': `const os = require('os'); module.exports = {shout: (x) => x.toUpperCase() + (os.EOL ? '!' : '')};`,
      'packs/greeter/package.json': '{"dependencies": {"dep": "*"}}',
      'packs/greeter/tools/word.ts': `import {shout} from 'dep'; export const word: string = shout('hi');`,
    });
    const pack = await greeter.workspace.loadOne();
    expect(await runBuilt(pack, {name: 'x'})).toEqual({greeting: 'HI! x'});
    const folder = dirname(pack.tools[0]!.module_path);
    for (const name of (await readdir(folder)).filter((one) => one.endsWith('.mjs'))) {
      const imports = (await readFile(join(folder, name), 'utf8')).matchAll(/from ["']([^."'][^"']*)["']/g);
      for (const [, specifier] of imports) expect(specifier).toMatch(/^node:|^lumenflow/);
    }
  });

  test('has tools that share code, each with its own module', async () => {
    const second = `  - name: greet:bye
    description: Leaves
    handler_entry: tools/bye.ts#bye
    permission: read
    handler: in_process
`;
    await greeter.workspace.write({
      'packs/greeter/manifest.yaml': greeterManifest('', second),
      'packs/greeter/tools/bye.ts': `import {word} from './word.ts'; export const bye = {run: () => word.length};`,
    });
    const pack = await greeter.workspace.loadOne();
    expect(new Set(pack.tools.map((tool) => tool.module_path)).size).toBe(2);
    expect(await runBuilt(pack, {}, 1)).toBe(5);
  });

  test('maps its stack back to its source', async () => {
    const pack = await greeter.workspace.loadOne();
    const map = JSON.parse(await readFile(`${pack.tools[0]!.module_path}.map`, 'utf8')) as {sources: string[]};
    const sources = map.sources.map((source) => join(dirname(pack.tools[0]!.module_path), source));
    expect(sources).toContain(join(greeter.workspace.root, 'packs/greeter/tools/greet.ts'));
  });
});

describe('resolution', () => {
  test('an npm pack is found in a node_modules above the workspace folder', async () => {
    const moved = Object.entries(greeterFiles).map(([path, text]) => [
      path.replace('packs/greeter', 'node_modules/@acme/greeter'),
      text,
    ]);
    await greeter.workspace.write(Object.fromEntries(moved) as Record<string, string>);
    const pack = await greeter.workspace.loadOne({
      id: 'greeter',
      version: '1.0.0',
      integrity: 'dev',
      source: 'npm',
      package: '@acme/greeter',
    });
    expect(pack.root).toBe(join(greeter.workspace.root, 'node_modules/@acme/greeter'));
  });

  test('a git pack is found where `pack install` stores it', async () => {
    const ref = 'a'.repeat(40);
    const folder = gitPackFolder('.lumenflow/cache', 'https://e.example/x.git', ref);
    const moved = Object.entries(greeterFiles).map(([path, text]) => [path.replace('packs/greeter', folder), text]);
    await greeter.workspace.write(Object.fromEntries(moved) as Record<string, string>);
    const pin = {...greeterPin({path: '.'}), source: 'git' as const, url: 'https://e.example/x.git', ref};
    expect(await runBuilt(await greeter.workspace.loadOne(pin), {name: 'x'})).toEqual({greeting: 'hello x'});
  });

  test.each([
    [
      greeterPin({path: 'packs/gone'}),
      'PACK_NOT_FOUND workspace.yaml#/packs/0 the pack `greeter` is missing: `packs/gone` contains no manifest.yaml',
    ],
    [
      {...greeterPin(), source: 'npm' as const, package: 'gone-pack'},
      'PACK_NOT_FOUND workspace.yaml#/packs/0 the pack `greeter` is not installed: no package `gone-pack` with a manifest.yaml was found',
    ],
    [
      {...greeterPin(), source: 'npm' as const, package: '../packs/greeter'},
      'PACK_NOT_FOUND workspace.yaml#/packs/0 `../packs/greeter` is not a valid npm package name',
    ],
    [
      {...greeterPin(), source: 'git' as const, url: 'https://e.example/x.git', ref: 'abc'},
      'PACK_NOT_FOUND workspace.yaml#/packs/0 the pack `greeter` is not installed: https://e.example/x.git at abc',
    ],
  ])('%o is not found', async (pin, problem) => {
    expect(await greeter.problemsOf({}, {pins: [pin]})).toEqual([problem]);
  });
});

describe('the cache', () => {
  test('a second load runs the same build, and a changed source a new one', async () => {
    const first = await greeter.workspace.loadOne();
    const again = await greeter.workspace.loadOne();
    expect(again.tools[0]!.module_path).toBe(first.tools[0]!.module_path);
    expect(again.integrity).toBe(first.integrity);
    await greeter.workspace.write({'packs/greeter/tools/word.ts': `export const word: string = 'salut';`});
    const changed = await greeter.workspace.loadOne();
    expect(changed.integrity).not.toBe(first.integrity);
    expect(await runBuilt(changed, {name: 'x'})).toEqual({greeting: 'salut x'});
    expect(await runBuilt(first, {name: 'x'})).toEqual({greeting: 'hello x'});
  });

  test("a file's bytes count, its time does not", async () => {
    const first = await greeter.workspace.loadOne();
    await utimes(join(greeter.workspace.root, 'packs/greeter/tools/word.ts'), 1, 1);
    expect((await greeter.workspace.loadOne()).integrity).toBe(first.integrity);
  });

  test('a modified build is rebuilt', async () => {
    const first = await greeter.workspace.loadOne();
    const file = first.tools[0]!.module_path;
    const sound = await readFile(file, 'utf8');
    await chmod(file, 0o644);
    await writeFile(file, `${sound}\nglobalThis.evil = true;`);
    await greeter.workspace.loadOne();
    expect(await readFile(file, 'utf8')).toBe(sound);
  });

  test('a changed dependency outside of the pack causes a new build with another hash', async () => {
    await greeter.workspace.write({
      'node_modules/dep/package.json': '{"name": "dep", "type": "module", "exports": "./index.js"}',
      'node_modules/dep/index.js': `export const shout = () => 'one';`,
      'packs/greeter/package.json': '{"dependencies": {"dep": "*"}}',
      'packs/greeter/tools/word.ts': `import {shout} from 'dep'; export const word: string = shout();`,
    });
    const first = await greeter.workspace.loadOne();
    await greeter.workspace.write({'node_modules/dep/index.js': `export const shout = () => 'two';`});
    const {problems} = await greeter.workspace.load([greeterPin({integrity: first.integrity})]);
    expect(problems.map(({code}) => code)).toEqual(['PACK_INTEGRITY_MISMATCH']);
  });

  test('the unprivileged user of the sandbox can read a build', async () => {
    const {module_path: file} = (await greeter.workspace.loadOne()).tools[0]!;
    expect((await stat(file)).mode & 0o777).toBe(0o444);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o755);
  });

  test('concurrent loads return the same build', async () => {
    const loads = await Promise.all(Array.from({length: 4}, async () => await greeter.workspace.loadOne()));
    expect(new Set(loads.map((pack) => pack.tools[0]!.module_path)).size).toBe(1);
    expect(await readdir(join(greeter.workspace.root, '.lumenflow/cache/packs'))).toHaveLength(1);
  });

  test('a cache folder that cannot be written is a problem', async () => {
    await greeter.workspace.write({'.lumenflow/cache': 'a file'});
    expect(await greeter.problemsOf()).toEqual([
      expect.stringMatching(/^PACK_CACHE_UNAVAILABLE packs\/greeter\/manifest.yaml the built pack cannot be stored: E/),
    ]);
  });
});
