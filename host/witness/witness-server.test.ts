// A witness over HTTP, as a log and an attacker reach it: https://c2sp.org/tlog-witness.
import {parseWitnessKey} from '@lumenflow/kernel/node';
import {mkdtempSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {startWitnessServer, type WitnessServer} from './start-witness-server.ts';
import {WitnessFolder} from './witness-folder.ts';
import {witnessedLog, type WitnessedLog} from './witnessed-log.fixture.ts';

const now = Date.parse('2026-11-26T12:00:00Z');
let root: string;
let witness: WitnessFolder;
let log: WitnessedLog;
let errors: unknown[];
const servers: WitnessServer[] = [];

beforeEach(async () => {
  root = join(mkdtempSync(join(tmpdir(), 'lumenflow-witness-')), 'w');
  witness = opened(WitnessFolder.create(root, 'w.example'));
  log = witnessedLog();
  errors = [];
  opened(witness.trust([{origin: log.origin, key: log.verifierKey}]));
  await start();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  rmSync(dirname(root), {recursive: true});
});

function opened<T>(outcome: {ok: true; value: T} | {ok: false; problem: {message: string}}): T {
  return outcome.ok ? outcome.value : expect.fail(outcome.problem.message);
}

/** One more process on the same folder. */
async function start(): Promise<WitnessServer> {
  const folder = opened(WitnessFolder.open(root));
  const onError = (error: unknown): void => void errors.push(error);
  const server = await startWitnessServer({folder, host: '127.0.0.1', port: 0, now: () => now, onError});
  servers.push(server);
  return server;
}

interface Answered {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

async function post(body: string | Uint8Array<ArrayBuffer>, server = servers[0]): Promise<Answered> {
  const response = await fetch(`${server?.url}/add-checkpoint`, {method: 'POST', body});
  return {status: response.status, type: response.headers.get('content-type'), text: await response.text()};
}

async function cosigned(old: number, size: number): Promise<void> {
  expect(await post(log.request(old, size))).toMatchObject({status: 200});
}

test('cosigns a log from its first checkpoint on, and says when', async () => {
  await cosigned(0, 3);
  const {status, text} = await post(log.request(3, 11));
  expect(status).toBe(200);
  const key = parseWitnessKey(witness.key.verifierKey);
  expect(key?.cosignatureIn(`${log.note(11)}${text}`)).toEqual({line: text, seconds: now / 1000});
  expect(key?.cosignatureIn(`${log.note(10)}${text}`)).toBeUndefined();
  expect(key?.cosignatureIn(`${log.fork().note(11)}${text}`)).toBeUndefined();
  expect(await post(log.request(11, 11))).toMatchObject({status: 200});
});

test('answers a wrong old size with the size that it cosigned', async () => {
  await cosigned(0, 5);
  for (const old of [0, 3, 6]) {
    expect(await post(log.request(old, 9))).toEqual({status: 409, type: 'text/x.tlog.size', text: '5\n'});
  }
});

describe('rejects', () => {
  test('another history, and a proof that does not fit', async () => {
    await cosigned(0, 5);
    const fork = log.fork();
    expect(await post(fork.request(5, 9))).toMatchObject({status: 422});
    expect(await post(fork.request(5, 5))).toMatchObject({status: 422});
    expect(await post(log.request(5, 9, {path: []}))).toMatchObject({status: 422});
    await cosigned(5, 9);
  });

  test('a proof before the first checkpoint, and an empty log with another root', async () => {
    expect(await post(log.request(0, 5, {path: [new Uint8Array(32)]}))).toMatchObject({status: 422});
    await cosigned(0, 0);
    const other = log.note(0).replace(/\n0\n.*\n/u, `\n0\n${Buffer.alloc(32).toString('base64')}\n`);
    expect(await post(`old 0\n\n${other}`)).toMatchObject({status: 403});
  });

  test('a log that is not known, and one that another key signed', async () => {
    expect(await post(witnessedLog('unknown.example').request(0, 5))).toMatchObject({status: 404});
    expect(await post(witnessedLog(log.origin).request(0, 5))).toMatchObject({status: 403});
    expect(await post(log.request(0, 5).replace('\n5\n', '\n6\n'))).toMatchObject({status: 403});
    await cosigned(0, 5);
  });

  test.each([
    ['nothing', () => ''],
    ['no checkpoint', () => 'old 0\n\n'],
    ['no empty line', () => log.request(0, 5).replaceAll('\n\n', '\n')],
    ['a size that is not decimal', () => log.request(0, 5).replace('old 0', 'old 00')],
    ['an old size beyond the checkpoint', () => log.request(0, 5, {old: 6})],
    ['a hash of another length', () => log.request(0, 5, {path: [new Uint8Array(31)]})],
    ['64 hashes', () => log.request(0, 5, {path: Array.from({length: 64}, () => new Uint8Array(32))})],
    ['a text after the signatures', () => `${log.request(0, 5)}more\n`],
  ])('a body with %s', async (_, body) => {
    expect(await post(body())).toMatchObject({status: 400});
    await cosigned(0, 5);
  });

  test('what is too long, another method, and another path', async () => {
    expect(await post(Buffer.alloc(65 * 1024, 'x'))).toMatchObject({status: 413});
    expect((await fetch(`${servers[0]?.url}/add-checkpoint`)).status).toBe(405);
    expect((await fetch(`${servers[0]?.url}/other`, {method: 'POST'})).status).toBe(404);
  });
});

test('remembers what it cosigned in its next process, and does not take damage for a beginning', async () => {
  await cosigned(0, 5);
  expect(await post(log.fork().request(0, 9), await start())).toMatchObject({status: 409, text: '5\n'});
  const heads = join(root, 'heads');
  for (const name of readdirSync(heads)) writeFileSync(join(heads, name), '');
  expect(await post(log.request(0, 9))).toMatchObject({status: 500});
  expect(String(errors[0])).toContain('is damaged: restore it');
});

test('of two histories at once, two processes cosign one', async () => {
  const second = await start();
  const fork = log.fork();
  const answers = await Promise.all(
    Array.from({length: 6}, async (_, at) =>
      at % 2 === 0 ? await post(log.request(0, 5 + at)) : await post(fork.request(0, 5 + at), second),
    ),
  );
  expect(answers.filter(({status}) => status === 200)).toHaveLength(1);
  expect(answers.filter(({status}) => status === 409)).toHaveLength(5);
});

test('a folder has one key, which no other user can read', () => {
  expect(statSync(join(root, 'witness.key')).mode & 0o777).toBe(0o600);
  expect(WitnessFolder.create(root, 'w.example').ok).toBe(false);
  expect(WitnessFolder.create(join(root, 'other'), 'two words').ok).toBe(false);
  expect(WitnessFolder.open(join(root, 'nowhere')).ok).toBe(false);
  writeFileSync(join(root, 'witness.key'), 'w.example\nspoiled\n');
  expect(WitnessFolder.open(root).ok).toBe(false);
});

test('trusts verifier keys only, each of them once', () => {
  const key = log.verifierKey;
  expect(witness.trust([{origin: log.origin, key}])).toEqual({ok: true, value: []});
  expect(witness.trust([{origin: 'two words', key}]).ok).toBe(false);
  expect(witness.trust([{origin: 'other', key: witness.key.verifierKey}]).ok).toBe(false);
  expect(witness.logs()).toEqual([{origin: log.origin, key}]);
});
