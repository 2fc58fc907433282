// What a backend reports of an engine that is absent, refuses, or is not what it seems.
import {chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {once} from 'node:events';
import {createServer, type RequestListener, type Server} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, expect, test} from 'vitest';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {createHostFiles} from '../profile/host-files.ts';
import {thisProcess} from '../process-name.ts';
import {createEngineBackend} from './create-engine-backend.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'engine-')));
const socket = join(folder, 'engine.sock');
let server: Server | undefined;
afterEach(() => server?.close());
afterAll(() => rmSync(folder, {recursive: true}));

async function listen(answer: RequestListener): Promise<void> {
  server = createServer(answer).listen(socket);
  await once(server, 'listening');
}

const backendAt = (path: string) =>
  createEngineBackend('docker', {
    runner: {nodePath: process.execPath, runtimePaths: []},
    executor: createSpawnExecutor(),
    files: createHostFiles(),
    socket: path,
  });

test('a socket that does not exist is reported with the option to correct', async () => {
  expect(await backendAt('/nonexistent/engine.sock').probe()).toEqual({
    available: false,
    backend: 'docker',
    problem: {
      message: '`/nonexistent/engine.sock` does not exist',
      help: 'correct `security.sandbox.backends.docker.socket`',
    },
  });
});

const isRoot = process.geteuid?.() === 0;
const noAccess = (path: string): object => ({
  available: false,
  problem: {
    message: `this user may not connect to docker at \`${path}\``,
    help: expect.stringContaining('add the user to the group of the socket'),
  },
});

// Root may connect to every socket.
test.skipIf(process.platform !== 'linux' || isRoot)('a socket of another group is named', async () => {
  await listen((_, response) => response.end('{}'));
  chmodSync(socket, 0);
  expect(await backendAt(socket).probe()).toMatchObject(noAccess(socket));
});

test.skipIf(isRoot)('so is one in a directory that the user may not enter', async () => {
  const closed = join(folder, 'closed');
  mkdirSync(closed, {mode: 0});
  expect(await backendAt(join(closed, 'engine.sock')).probe()).toMatchObject(noAccess(join(closed, 'engine.sock')));
  chmodSync(closed, 0o700);
});

test.skipIf(process.platform !== 'linux')('the reason of an engine that refuses is reported', async () => {
  await listen((_, response) => response.writeHead(403).end(JSON.stringify({message: 'access denied by a plugin'})));
  const report = await backendAt(socket).probe();
  expect(report).toMatchObject({
    available: false,
    problem: {message: `docker does not answer at \`${socket}\` (\`access denied by a plugin\`)`},
  });
});

test('another program at the socket is not an engine, and nothing is removed there', async () => {
  const asked: (string | undefined)[] = [];
  await listen(({method}, response) => {
    asked.push(method);
    response.end('hello');
  });
  const backend = backendAt(socket);
  expect(await backend.probe()).toMatchObject({available: false});
  await backend.reap();
  expect(new Set(asked)).toEqual(new Set(['GET']));
});

test('only containers of hosts that have ended are removed', async () => {
  const asked: string[] = [];
  const [namespace] = thisProcess().split('-');
  const labels = {ended: `${namespace}-4194305`, mine: thisProcess(), elsewhere: '1-4194305', other: 'unknown'};
  await listen((request, response) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]}`);
    const listed = Object.entries(labels).map(([Id, label]) => ({Id, Labels: {'dev.lumenflow.host': label}}));
    response.end(JSON.stringify(listed));
  });
  await backendAt(socket).reap();
  expect(asked).toEqual(['GET /containers/json', 'DELETE /containers/ended']);
});
