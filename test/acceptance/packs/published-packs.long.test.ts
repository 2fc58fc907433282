// A pack goes from its author's folder to other workspaces: as a tarball from `npm pack`, and as a tag of a repository.
import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runForJson, runProgram} from '../../support/lumenflow-program.ts';
import {commitAll, git, greeter, makePackStage, type PackStage} from './pack-stage.ts';

interface PublishedPack {
  readonly folder: string;
  readonly integrity: string;
  readonly publicKey: string;
}

/** What docs/publishing.md asks of an author: create, keygen, sign, hash. */
async function signedPack(stage: PackStage): Promise<PublishedPack> {
  const folder = join(stage.root, 'notes');
  const run = async (...args: string[]): ReturnType<typeof runForJson> => await runForJson(args, {cwd: folder});
  expect((await runProgram(['pack', 'create', 'notes'], {cwd: stage.root})).code).toBe(0);
  // The scaffold of a checkout refers to the SDK by a folder, which another machine lacks. The host brings the SDK.
  const file = join(folder, 'package.json');
  const {dependencies: _, ...declared} = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify(declared));
  const key = await run('pack', 'keygen', 'example.com/p', '--out', '../k');
  expect(await run('pack', 'sign', '--key', '../k')).toMatchObject({code: 0, document: {files: 7, missing: []}});
  const {document} = await run('pack', 'hash', 'notes');
  expect(document).toMatchObject({
    files: 7,
    left_out: ['.gitignore', 'test/greet.test.ts', 'tsconfig.json'],
    missing: [],
  });
  return {folder, integrity: String(document['integrity']), publicKey: String(key.document['public_key'])};
}

async function expectUsable(stage: PackStage): Promise<void> {
  expect(await stage.json('pack', 'install')).toMatchObject({code: 0});
  const {document} = await stage.json('tools', 'call', 'notes:greet', 'name=Ada');
  expect(document).toMatchObject({ok: true, data: {greeting: 'Hello, Ada'}});
  expect((await stage.json('pack', 'list')).document).toMatchObject({packs: [{signature: 'signed', trusted: true}]});
}

test('a signed and pinned pack can be installed from its tarball where signatures are required', async () => {
  const stage = makePackStage({npm_config_registry: 'http://127.0.0.1:9/'});
  const {folder, integrity, publicKey} = await signedPack(stage);
  const env = {...process.env, npm_config_cache: join(stage.root, 'npm-cache')};
  const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', stage.root], {cwd: folder, env});
  expect(packed.status, packed.stderr.toString()).toBe(0);
  const path = '../lumenflow-pack-notes-0.1.0.tgz';
  const pin = {id: 'notes', version: '0.1.0', integrity, source: 'npm', package: 'lumenflow-pack-notes', path};
  stage.pin([pin], {require_signature: true, trusted_keys: [publicKey]});
  await expectUsable(stage);
});

test('a tarball is added by its file alone, and updated by another file only', async () => {
  const stage = makePackStage({npm_config_registry: 'http://127.0.0.1:9/'});
  const {folder} = await signedPack(stage);
  const env = {...process.env, npm_config_cache: join(stage.root, 'npm-cache')};
  const pack = (): void =>
    void spawnSync('npm', ['pack', '--silent', '--pack-destination', stage.root], {cwd: folder, env});
  pack();
  stage.pin([]);
  expect(await stage.json('pack', 'add', '../lumenflow-pack-notes-0.1.0.tgz')).toMatchObject({
    document: {pin: {id: 'notes', package: 'lumenflow-pack-notes', path: '../lumenflow-pack-notes-0.1.0.tgz'}},
  });
  expect(await stage.json('pack', 'update', 'notes', '--to', '0.2.0')).toMatchObject({
    code: 2,
    document: {
      error: {
        message:
          '`0.2.0` is not a version of `notes`, which is pinned from the tarball `../lumenflow-pack-notes-0.1.0.tgz`',
      },
    },
  });
  for (const name of ['manifest.yaml', 'package.json']) {
    writeFileSync(
      join(folder, name),
      readFileSync(join(folder, name), 'utf8').replace(/(?<=version"?: *"?)0\.1\.0/u, '0.2.0'),
    );
  }
  pack();
  const to = '../lumenflow-pack-notes-0.2.0.tgz';
  expect(await stage.json('pack', 'update', 'notes', '--to', to)).toMatchObject({
    document: {updates: [{pin: {version: '0.2.0', path: to}}]},
  });
  expect(await stage.json('pack', 'install', '--frozen')).toMatchObject({code: 0});
});

test('the same pack has the same hash in a repository', async () => {
  const stage = makePackStage();
  const {folder, integrity, publicKey} = await signedPack(stage);
  commitAll(folder);
  git(folder, 'tag', 'v0.1.0');
  const pin = {id: 'notes', version: '0.1.0', integrity, source: 'git', url: '../notes', ref: 'v0.1.0'};
  stage.pin([pin], {require_signature: true, trusted_keys: [publicKey]});
  await expectUsable(stage);
});

test('a signature that npm would leave out is reported, and so is code', async () => {
  const stage = makePackStage();
  const {folder} = await signedPack(stage);
  const file = join(folder, 'package.json');
  const declared = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({...declared, files: ['manifest.yaml', 'config.schema.json', 'policies']}));
  const signed = await runProgram(['pack', 'sign', '--key', '../k'], {cwd: folder});
  expect(signed.stderr).toContain('the pack needs `tools/greet.ts`, `pack.sig`, but npm leaves out these files');
  expect(signed.stderr).toContain('add them to `files` in package.json');
});

test('publish lists what ships, and refuses what cannot be published', async () => {
  const stage = makePackStage({npm_config_registry: 'http://127.0.0.1:9/'});
  const {folder, integrity} = await signedPack(stage);
  const publish = async (): ReturnType<typeof runForJson> =>
    await runForJson(['pack', 'publish', '--dry-run'], {
      cwd: folder,
      env: {npm_config_cache: join(stage.root, 'npm-cache')},
    });
  const messages = async (): Promise<string> => JSON.stringify((await publish()).document['error']);
  expect(await messages()).toContain('private');
  const file = join(folder, 'package.json');
  const {private: _, ...declared} = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify(declared));
  expect(await messages()).toContain('pack.sig does not match the files: sign the pack again');
  await runForJson(['pack', 'sign', '--key', '../k'], {cwd: folder});
  const {document} = await publish();
  expect(document).toMatchObject({
    ok: true,
    published: false,
    signature: 'signed',
    integrity: expect.not.stringContaining(integrity),
  });
  expect(document['files']).toEqual(expect.arrayContaining(['manifest.yaml', 'pack.sig', 'tools/greet.ts']));
  expect(document['files']).not.toContain('.gitignore');
  writeFileSync(
    file,
    JSON.stringify({...declared, version: '0.2.0', scripts: {prepack: 'echo "// x" >> tools/greet.ts'}}),
  );
  const refused = await messages();
  expect(refused).toContain('the version in package.json is 0.2.0, but 0.1.0 in the manifest');
});

test('a pack is added from a repository, and updated to another ref', async () => {
  const stage = makePackStage();
  stage.write(greeter('repo'));
  commitAll(join(stage.root, 'repo'));
  git(join(stage.root, 'repo'), 'tag', 'v1');
  stage.pin([]);
  const workspace = join(stage.workspace, 'workspace.yaml');
  const added = await stage.json('pack', 'add', '../repo#v1');
  expect(added).toMatchObject({code: 0, document: {pin: {id: 'greeter', source: 'git', url: '../repo', ref: 'v1'}}});
  expect(await stage.hello()).toEqual({greeting: 'hi'});
  expect(await stage.json('pack', 'add', '../repo#v1')).toMatchObject({code: 2});
  stage.write(greeter('repo', {version: '1.1.0', word: 'hello', description: 'Greets warmly'}));
  commitAll(join(stage.root, 'repo'));
  git(join(stage.root, 'repo'), 'tag', 'v2');
  writeFileSync(workspace, `# mine\n${readFileSync(workspace, 'utf8')}`);
  const shown = await stage.json('pack', 'update', 'greeter', '--to', 'v2', '--dry-run');
  expect(shown).toMatchObject({
    document: {written: false, updates: [{pin: {version: '1.1.0', ref: 'v2'}, changes: [{kind: 'changed'}]}]},
  });
  expect(readFileSync(workspace, 'utf8')).toContain('v1');
  expect(await stage.json('pack', 'update', 'greeter', '--to', 'v2')).toMatchObject({code: 0});
  expect(readFileSync(workspace, 'utf8')).toMatch(/^# mine\n[^]*v2/u);
  // The changed description waits for a person.
  expect(await stage.hello()).toMatchObject({code: 'POLICY_DENIED'});
  await stage.json('pack', 'approve', 'greeter', '--as', 'ann');
  expect(await stage.hello()).toEqual({greeting: 'hello'});
});
