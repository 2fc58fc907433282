// The keys of a worker and of its hosts, while the worker runs: made, trusted, replaced and forgotten.
import type {ChildProcess} from 'node:child_process';
import {chmodSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {generate} from 'selfsigned';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {
  assertBuilt,
  ended,
  initialize,
  makeFolder,
  runCommand,
  runCommandForJson,
  startProgram,
} from '../../support/lumenflow-program.ts';

const folder = makeFolder();
const cwd = join(folder.path, 'workspace');
const env = {XDG_STATE_HOME: join(folder.path, 'state')};
const run = (...args: string[]) => runCommand(args, {cwd, env});
const json = async (...args: string[]) => (await runCommandForJson(args, {cwd, env})).document;
const keyOf = async (...args: string[]): Promise<string> => String((await json(...args, 'key'))['public_key']);
const idOf = (line: string): string => line.split('+', 2).join('+');

interface Listed {
  readonly state: string;
  readonly problem?: string;
}
const listed = async (): Promise<Listed> => ((await json('workers', 'list'))['workers'] as Listed[])[0]!;

let worker: ChildProcess;
let url: string;
let announced: string;

async function startWorker(listen: string): Promise<void> {
  worker = startProgram(['worker', '--listen', listen, '--json'], {cwd, env});
  let text = '';
  for await (const part of worker.stdout ?? []) {
    text += String(part);
    const [, found] = /"url": ?"([^"]+)"/u.exec(text) ?? [];
    if (found === undefined) continue;
    announced = text;
    url = found;
    return;
  }
  throw new Error(`the worker has not started: ${text}`);
}

async function stopWorker(): Promise<void> {
  worker.kill('SIGTERM');
  await ended(worker);
}

beforeAll(async () => {
  assertBuilt();
  mkdirSync(cwd);
  await initialize(cwd, '--id', 'demo');
  await startWorker('127.0.0.1:0');
});
afterAll(async () => {
  await stopWorker();
  folder.remove();
});

it('serves a host from the moment that it is trusted, and until it is not', async () => {
  expect(announced).toMatch(/"hosts": ?\[\]/u);
  const host = await keyOf('workers');
  expect((await run('workers', 'add', 'build', url, await keyOf('worker'))).code).toBe(0);
  expect(await listed()).toMatchObject({state: 'unavailable', problem: expect.stringContaining('is not trusted')});
  expect((await run('worker', 'trust', host)).code).toBe(0);
  expect(await listed()).toMatchObject({state: 'ready', report: {enforced: {backend: 'bubblewrap'}}});
  expect((await run('worker', 'untrust', idOf(host))).code).toBe(0);
  expect(await listed()).toMatchObject({state: 'unavailable'});
  await run('worker', 'trust', host);
});

it('a host replaces its key without a gap', async () => {
  const old = await keyOf('workers');
  const next = String((await json('workers', 'key', '--new'))['public_key']);
  expect(await listed()).toMatchObject({state: 'ready'});
  await run('worker', 'trust', next);
  expect((await run('workers', 'key', '--remove', idOf(old))).code).toBe(0);
  await run('worker', 'untrust', idOf(old));
  expect(await listed()).toMatchObject({state: 'ready'});
  expect((await json('worker', 'trust'))['hosts']).toEqual([idOf(next)]);
});

it('a running worker replaces its key without a gap, and the old one stays known for what it attested', async () => {
  const old = await keyOf('worker');
  const next = String((await json('worker', 'key', '--new'))['public_key']);
  expect(await listed()).toMatchObject({state: 'ready'});
  expect((await run('workers', 'add', 'build', url, next)).code).toBe(0);
  expect(await listed()).toMatchObject({state: 'ready'});
  expect((await run('worker', 'key', '--remove', idOf(old))).code).toBe(0);
  const file = readFileSync(join(cwd, 'workspace.yaml'), 'utf8');
  expect(file).toContain(`former_keys:\n          - key: ${old}\n`);
  expect(file).toContain(`key: ${next}\n`);
});

it('a key that other users can read is refused', async () => {
  const file = join(env.XDG_STATE_HOME, 'lumenflow', 'host', 'keys', '2.key');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  chmodSync(file, 0o644);
  const {document, code} = await runCommandForJson(['workers', 'list'], {cwd, env});
  expect([code, document['error']]).toMatchObject([
    1,
    {code: 'KEY_UNUSABLE', message: expect.stringContaining('other users')},
  ]);
  chmodSync(file, 0o600);
});

it('paths of certificates are relative to the workspace, wherever the command runs', async () => {
  const below = join(cwd, 'tls');
  mkdirSync(below);
  const {private: key, cert} = await generate([{name: 'commonName', value: 'host'}], {keySize: 2048});
  for (const name of ['ca.pem', 'host.pem']) writeFileSync(join(below, name), cert);
  writeFileSync(join(folder.path, 'key.pem'), key);
  const secure = url.replace('http:', 'https:');
  const line = await keyOf('worker');
  const add = async (...args: string[]) =>
    await runCommand(['workers', 'add', 'build', secure, line, ...args], {cwd: below, env});
  expect((await add('--client-cert', 'host.pem')).stderr).toContain('needs its private key');
  expect((await add('--ca', 'absent.pem')).stderr).toMatch(/absent\.pem`\s+is\s+not\s+a\s+certificate/u);
  expect((await add('--ca', '../workspace.yaml')).stderr).toMatch(/workspace\.yaml`\s+is\s+not\s+a\s+certificate/u);
  expect((await add('--ca', 'ca.pem', '--client-cert', 'host.pem', '--client-key', '../../key.pem')).code).toBe(0);
  const file = readFileSync(join(cwd, 'workspace.yaml'), 'utf8');
  expect(file).toContain(`ca: tls/ca.pem\n            client_cert: tls/host.pem\n`);
  expect(file).toContain(`client_key: ${join(folder.path, 'key.pem')}\n`);
  expect(await listed()).toMatchObject({state: 'unavailable', problem: expect.stringContaining('cannot be reached')});
});

it('an address of another machine needs TLS, or the word of a person', async () => {
  const line = await keyOf('worker');
  const before = readFileSync(join(cwd, 'workspace.yaml'), 'utf8');
  for (const plain of [
    'http://192.0.2.1:7070',
    'http://worker.example',
    'http://localhost.example',
    'http://[::2]:1',
  ]) {
    const {code, stderr} = await run('workers', 'add', 'other', plain, line);
    expect([plain, code, stderr.replaceAll(/\s+/gu, ' ')]).toEqual([plain, 2, expect.stringContaining('without TLS')]);
  }
  expect(readFileSync(join(cwd, 'workspace.yaml'), 'utf8')).toBe(before);
  for (const own of ['http://localhost:1', 'http://[::1]:1', 'https://192.0.2.1'])
    expect((await run('workers', 'add', 'other', own, line)).code).toBe(0);
  expect((await run('workers', 'add', 'other', 'http://192.0.2.1:7070', line, '--insecure-http')).code).toBe(0);
  expect((await run('workers', 'forget', 'other')).code).toBe(0);
});

it('a forgotten worker is no longer asked', async () => {
  expect((await run('workers', 'forget', 'build')).code).toBe(0);
  expect(await json('workers', 'list')).toMatchObject({workers: []});
  expect((await run('evidence', 'verify')).code).toBe(5);
});
