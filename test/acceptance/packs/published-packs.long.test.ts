// A pack goes from its author's folder to other workspaces: as a tarball from `npm pack`, and as a tag of a repository.
import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runForJson, runProgram} from '../../support/lumenflow-program.ts';
import {commitAll, git, makePackStage, type PackStage} from './pack-stage.ts';

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
