// Packs from npm: from a registry on loopback and from a tarball; no script of a package runs.
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, readFileSync, renameSync, rmSync} from 'node:fs';
import {createServer} from 'node:http';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {greeter, makePackStage, type GreeterWords, type PackStage} from './pack-stage.ts';

const pin = (more: object = {}): object => ({
  id: 'greeter',
  version: '1.0.0',
  integrity: 'dev',
  source: 'npm',
  package: '@acme/greeter',
  ...more,
});

/** Packs the greeter as `npm pack` does; gives the tarball. Its install script would write the file `ran`. */
function packed(stage: PackStage, words: GreeterWords = {}): string {
  const {version = '1.0.0'} = words;
  const scripts = {postinstall: `touch '${stage.root}/ran'`};
  stage.write({
    ...greeter('package', words),
    'package/package.json': JSON.stringify({name: '@acme/greeter', version, type: 'module', scripts}),
  });
  const {status, stderr} = spawnSync('npm', ['pack', '--silent', '--pack-destination', stage.root], {
    cwd: join(stage.root, 'package'),
    env: {...process.env, npm_config_cache: join(stage.root, 'npm-cache')},
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return join(stage.root, `acme-greeter-${version}.tgz`);
}

/** A registry with one package; gives its address. */
async function serveTarball(tarball: () => Buffer): Promise<string> {
  const server = createServer((request, response) => {
    const bytes = tarball();
    if (request.url?.endsWith('.tgz') === true) return response.end(bytes);
    if (decodeURIComponent(request.url ?? '') !== '/@acme/greeter') return response.writeHead(404).end('{}');
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const dist = {tarball: `http://${request.headers.host ?? ''}/greeter.tgz`, integrity};
    const versions = {'1.0.0': {name: '@acme/greeter', version: '1.0.0', dist, hasInstallScript: true}};
    return response.end(JSON.stringify({name: '@acme/greeter', 'dist-tags': {latest: '1.0.0'}, versions}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('from a tarball, without a registry; afterwards without the tarball', async () => {
  const stage = makePackStage({npm_config_registry: 'http://127.0.0.1:9/'});
  const tarball = packed(stage);
  renameSync(tarball, join(stage.root, 'greeter.tgz'));
  stage.pin([pin({path: '../greeter.tgz'})]);
  expect(await stage.json('pack', 'install')).toMatchObject({code: 0, document: {packs: [{fetched: true}]}});
  expect(stage.lock().packs['greeter']).toMatchObject({
    from: '../greeter.tgz',
    resolved: expect.stringMatching(/^sha512-/u),
    files: expect.stringMatching(/^sha256:/u),
  });
  rmSync(join(stage.root, 'greeter.tgz'));
  expect(await stage.hello()).toEqual({greeting: 'hi'});
  expect(await stage.json('pack', 'install', '--frozen')).toMatchObject({code: 0});
  expect(existsSync(join(stage.root, 'ran'))).toBe(false);
});

test('from a registry, by package and version; other bytes under the same version are refused', async () => {
  const bytes = {now: Buffer.alloc(0)};
  const stage = makePackStage({npm_config_registry: await serveTarball(() => bytes.now)});
  bytes.now = readFileSync(packed(stage));
  stage.pin([pin()]);
  expect(await stage.problems('tools', 'list')).toMatchObject([
    {code: 'PACK_NOT_FOUND', help: expect.stringContaining('lumenflow pack install greeter')},
  ]);
  expect(await stage.json('pack', 'install')).toMatchObject({code: 0});
  expect(stage.lock().packs['greeter']).toMatchObject({from: '@acme/greeter@1.0.0'});
  expect(await stage.hello()).toEqual({greeting: 'hi'});
  bytes.now = readFileSync(packed(stage, {word: 'evil'}));
  rmSync(join(stage.workspace, '.lumenflow/cache'), {recursive: true});
  rmSync(join(stage.root, 'npm-cache'), {recursive: true});
  expect(await stage.problems('pack', 'install')).toMatchObject([
    {code: 'PACK_SOURCE_CHANGED', where: 'workspace.yaml:3:5', help: expect.stringContaining('--update')},
  ]);
  expect(await stage.problems('tools', 'list')).toMatchObject([{code: expect.stringMatching(/^PACK_/u)}]);
});

test('what cannot be installed is reported: a missing package, a folder, a name that is a path, a missing tarball', async () => {
  const stage = makePackStage({npm_config_registry: await serveTarball(() => Buffer.alloc(0))});
  packed(stage);
  const named = (id: string, more: object): object => pin({...more, id});
  stage.pin([
    named('a', {package: 'gone'}),
    named('b', {path: '../package'}),
    named('c', {package: '../package'}),
    named('d', {package: '--global'}),
    named('e', {path: '../gone.tgz'}),
  ]);
  const problems = await stage.problems('pack', 'install');
  expect(problems.map(({code, where}) => `${code} ${where}`)).toEqual([
    'PACK_FETCH_FAILED workspace.yaml:3:5',
    'PACK_SOURCE_REFUSED workspace.yaml:4:5',
    'PACK_SOURCE_REFUSED workspace.yaml:5:5',
    'PACK_SOURCE_REFUSED workspace.yaml:6:5',
    'PACK_FETCH_FAILED workspace.yaml:7:5',
  ]);
  expect(problems[0]?.message).toContain('gone');
  expect(problems[1]?.help).toContain('npm pack');
  expect(problems[4]?.message).toContain('the file `../gone.tgz` does not exist');
});

test('a package that the workspace installed itself is used as it is', async () => {
  const stage = makePackStage();
  stage.write(greeter('ws/node_modules/@acme/greeter'));
  stage.pin([pin()]);
  expect(await stage.json('pack', 'install')).toMatchObject({code: 0, document: {packs: [{fetched: false}]}});
  const entry = stage.lock().packs['greeter'];
  expect(entry).not.toHaveProperty('files');
  expect(entry).not.toHaveProperty('resolved');
  expect(await stage.hello()).toEqual({greeting: 'hi'});
});
