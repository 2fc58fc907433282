import {rename, rm, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {greeterWorkspaceForEachTest, runBuilt} from './fixtures/greeter-workspace.ts';
import {greeterManifest, greeterPin} from './fixtures/pack-workspace.ts';

const greeter = greeterWorkspaceForEachTest();

describe('integrity', () => {
  test('a pin fixes exactly these bytes, built or not', async () => {
    const {integrity} = await greeter.workspace.loadOne();
    expect(await greeter.workspace.source.hash(greeterPin())).toMatchObject({value: {integrity}});
    expect((await greeter.workspace.loadOne(greeterPin({integrity}))).integrity).toBe(integrity);
  });

  test('a version other than the pinned one is a mistake, also in development', async () => {
    const files = {'packs/greeter/manifest.yaml': greeterManifest().replace('version: 1.0.0', 'version: 1.1.0')};
    const mismatch = "the manifest's version is `1.1.0`, the pin at workspace.yaml#/packs/0 says `1.0.0`";
    expect(await greeter.problemsOf(files)).toEqual([expect.stringContaining(mismatch)]);
    const pins = [greeterPin({integrity: `sha256:${'0'.repeat(64)}`})];
    expect(await greeter.problemsOf(files, {pins})).toContainEqual(expect.stringContaining(mismatch));
  });

  /** An entry that imports code from both built folders. */
  const reaching = {
    'packs/greeter/package.json': '{"type": "module", "dependencies": {"x": "*"}}',
    'packs/greeter/tools/word.ts': `import {shout} from '../dist/x.js'; import y from 'x'; export const word: string = shout(y);`,
    'packs/greeter/dist/x.js': 'export const shout = (text) => text;',
    'packs/greeter/node_modules/x/package.json': '{"name": "x", "type": "module", "exports": "./index.js"}',
    'packs/greeter/node_modules/x/index.js': `export default 'hello';`,
  };

  test.each([
    ['an entry', {'packs/greeter/tools/word.ts': `export const word: string = 'evil';`}],
    ['a file in dist', {'packs/greeter/dist/x.js': `export const shout = () => 'evil';`}],
    ['a file in node_modules', {'packs/greeter/node_modules/x/index.js': `export default 'evil';`}],
    ['data in dist', {'packs/greeter/dist/data.json': '{"evil": true}'}],
    ['the manifest', {'packs/greeter/manifest.yaml': `${greeterManifest()}# changed\n`}],
  ])('a change of %s is found, with both hashes and the way to pin', async (_, change) => {
    await greeter.workspace.write(reaching);
    const {integrity} = await greeter.workspace.loadOne();
    await greeter.workspace.write(change);
    const {packs, problems} = await greeter.workspace.load([greeterPin({integrity})]);
    expect(packs).toEqual([]);
    expect(problems).toMatchObject([{code: 'PACK_INTEGRITY_MISMATCH', where: 'workspace.yaml#/packs/0/integrity'}]);
    const hashes = problems[0]!.message.match(/sha256:[0-9a-f]{64}/g) ?? [];
    expect(hashes[1]).toBe(integrity);
    expect(await greeter.workspace.source.hash(greeterPin())).toMatchObject({value: {integrity: hashes[0]}});
    expect(problems[0]?.help).toContain('lumenflow pack update greeter');
  });

  test('built code that no entry reaches can be rebuilt without changing the pin', async () => {
    await greeter.workspace.write({'packs/greeter/dist/x.js': '1', 'packs/greeter/node_modules/x/index.js': '1'});
    const {integrity} = await greeter.workspace.loadOne();
    await greeter.workspace.write({
      'packs/greeter/dist/x.js': '2',
      'packs/greeter/dist/y.d.ts': '',
      'packs/greeter/node_modules/x/index.js': '2',
    });
    expect((await greeter.workspace.loadOne(greeterPin({integrity}))).integrity).toBe(integrity);
  });

  test('installed dependencies do not count, wherever they are', async () => {
    await greeter.workspace.write(reaching);
    const {integrity} = await greeter.workspace.loadOne();
    await greeter.workspace.write({'packs/greeter/node_modules/unused/README.md': 'x'});
    await symlink('gone', join(greeter.workspace.root, 'packs/greeter/node_modules/.bin'));
    expect((await greeter.workspace.loadOne()).integrity).toBe(integrity);
    await rename(
      join(greeter.workspace.root, 'packs/greeter/node_modules'),
      join(greeter.workspace.root, 'node_modules'),
    );
    const moved = await greeter.workspace.loadOne(greeterPin({integrity}));
    expect(moved.integrity).toBe(integrity);
    expect(await runBuilt(moved, {name: 'x'})).toEqual({greeting: 'hello x'});
  });

  test('the state and the history of a workspace in the same folder do not count', async () => {
    const {integrity} = await greeter.workspace.loadOne();
    await greeter.workspace.write({'packs/greeter/.git/HEAD': 'x', 'packs/greeter/.lumenflow/x': 'y'});
    expect((await greeter.workspace.loadOne()).integrity).toBe(integrity);
  });

  test('links that leave the pack, are broken or refer to themselves are rejected', async () => {
    const at = (path: string): string => join(greeter.workspace.root, 'packs/greeter', path);
    await greeter.workspace.write({'outside.ts': 'export const greet = 1;'});
    for (const [target, message] of [
      [
        '../../outside.ts',
        'the pack cannot be loaded: `a.ts` is a link that leaves the pack: it leads to `../../outside.ts`',
      ],
      ['gone', 'the pack cannot be loaded: `a.ts` is a link that leads nowhere'],
      ['a.ts', 'the pack cannot be loaded: `a.ts` is a link that leads to itself'],
    ] as const) {
      await symlink(target, at('a.ts'));
      expect(await greeter.problemsOf()).toEqual([`PACK_FILE_INVALID packs/greeter/a.ts ${message}`]);
      await rm(at('a.ts'));
    }
  });

  test('a link within the pack counts with its target', async () => {
    await greeter.workspace.write({
      'packs/greeter/a/word.ts': `export const word: string = 'a';`,
      'packs/greeter/b/word.ts': `export const word: string = 'b';`,
      'packs/greeter/tools/word.ts': `export {word} from '../now/word.ts';`,
    });
    const link = join(greeter.workspace.root, 'packs/greeter/now');
    await symlink('a', link);
    const first = await greeter.workspace.loadOne();
    expect(await runBuilt(first, {name: 'x'})).toEqual({greeting: 'a x'});
    await rm(link);
    await symlink('b', link);
    const second = await greeter.workspace.loadOne();
    expect(await runBuilt(second, {name: 'x'})).toEqual({greeting: 'b x'});
    expect(second.integrity).not.toBe(first.integrity);
  });
});

describe('files that npm does not ship', () => {
  const shipped = {
    'packs/greeter/package.json':
      '{"name": "greeter", "type": "module", "files": ["manifest.yaml", "tools", "schemas"]}',
    'packs/greeter/manifest.yaml': greeterManifest('', `    input_schema: {$ref: schemas/input.json}\n`),
    'packs/greeter/schemas/input.json': '{"type": "object"}',
    'packs/greeter/README.md': 'Greets.',
  };
  const leftOut = {
    'packs/greeter/.gitignore': 'node_modules/\n',
    'packs/greeter/test/greet.test.ts': `export {};`,
    'packs/greeter/tsconfig.json': '{}',
    'packs/greeter/package-lock.json': '{}',
  };

  test('do not count, so that a folder, a repository and a package have the same hash', async () => {
    await greeter.workspace.write(shipped);
    const {integrity} = await greeter.workspace.loadOne();
    await greeter.workspace.write(leftOut);
    expect((await greeter.workspace.loadOne(greeterPin({integrity}))).integrity).toBe(integrity);
    expect(await greeter.workspace.source.hash(greeterPin())).toEqual({
      ok: true,
      value: {
        integrity,
        shipping: {
          shipped: [
            'README.md',
            'manifest.yaml',
            'package.json',
            'schemas/input.json',
            'tools/greet.ts',
            'tools/word.ts',
          ],
          leftOut: ['.gitignore', 'package-lock.json', 'test/greet.test.ts', 'tsconfig.json'],
          missing: [],
        },
      },
    });
  });

  test('count if they can be loaded: code, schemas and the config schema, cached or not', async () => {
    await greeter.workspace.write({
      ...shipped,
      'packs/greeter/package.json':
        '{"name": "greeter", "type": "module", "files": ["manifest.yaml", "tools/greet.ts"]}',
      'packs/greeter/manifest.yaml': greeterManifest(
        'config_key: greeter\nconfig_schema: config.schema.json\n',
        `    input_schema: {$ref: schemas/input.json}\n`,
      ),
      'packs/greeter/config.schema.json': '{"type": "object"}',
    });
    const {integrity} = await greeter.workspace.loadOne();
    expect((await greeter.workspace.loadOne(greeterPin({integrity}))).integrity).toBe(integrity);
    const hashed = await greeter.workspace.source.hash(greeterPin());
    const missing = ['config.schema.json', 'schemas/input.json', 'tools/word.ts'];
    expect(hashed).toMatchObject({value: {integrity, shipping: {missing}}});
    for (const path of missing) {
      const text = path.endsWith('.ts') ? `export const word: string = 'evil';` : '{"type": "object", "title": "evil"}';
      await greeter.workspace.write({[`packs/greeter/${path}`]: text});
      const {problems} = await greeter.workspace.load([greeterPin({integrity})]);
      expect(problems, path).toMatchObject([{code: 'PACK_INTEGRITY_MISMATCH'}]);
    }
  });

  test('count for the pin of an older host, which hashed every file', async () => {
    await greeter.workspace.write({...shipped, ...leftOut});
    const integrity = 'sha256:17b6c63de129d2e84d898a4de41c152422ee326636558f05cc76d8070dd9f584';
    expect((await greeter.workspace.loadOne(greeterPin({integrity}))).integrity).toBe(integrity);
    await greeter.workspace.write({'packs/greeter/tsconfig.json': '{"files": []}'});
    const {problems} = await greeter.workspace.load([greeterPin({integrity})]);
    expect(problems).toMatchObject([{code: 'PACK_INTEGRITY_MISMATCH'}]);
  });
});
