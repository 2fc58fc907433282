// What the backend reports of a containerd that is absent, refuses, lacks a runtime, or is not what it seems. The server here answers
// as containerd 1.6 was recorded to.
import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {once} from 'node:events';
import {createServer as createHttpServer} from 'node:http';
import {createServer, type Http2Server, type ServerHttp2Stream} from 'node:http2';
import type {Server} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, expect, test} from 'vitest';
import {thisProcess} from '../process-name.ts';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {createHostFiles} from '../profile/host-files.ts';
import type {ContainerdBackendName} from './containerd-runtimes.ts';
import {createContainerdBackend} from './create-containerd-backend.ts';
import {decodeMessage, encodeMessage} from './protobuf.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'containerd-')));
const socket = join(folder, 'containerd.sock');
let server: Server | Http2Server | undefined;
afterEach(() => server?.close());
afterAll(() => rmSync(folder, {recursive: true}));

interface Asked {
  /** Such as `Tasks/Create`. */
  readonly method: string;
  readonly namespace: unknown;
  readonly message: Buffer;
}

type Answer = Buffer | {readonly status: number; readonly reason: string};

async function listen(answer: (asked: Asked) => Answer): Promise<readonly Asked[]> {
  const all: Asked[] = [];
  const started = createServer();
  started.on('stream', (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.once('end', () => {
      const method = String(headers[':path']).split('.').at(-1) ?? '';
      const asked = {method, namespace: headers['containerd-namespace'], message: Buffer.concat(chunks).subarray(5)};
      all.push(asked);
      respond(stream, answer(asked));
    });
  });
  server = started.listen(socket);
  await once(started, 'listening');
  return all;
}

function respond(stream: ServerHttp2Stream, answer: Answer): void {
  const headers = {':status': 200, 'content-type': 'application/grpc'};
  if (!Buffer.isBuffer(answer)) {
    const failure = {...headers, 'grpc-status': answer.status, 'grpc-message': encodeURIComponent(answer.reason)};
    stream.respond(failure, {endStream: true});
    return;
  }
  stream.respond(headers, {waitForTrailers: true});
  stream.once('wantTrailers', () => stream.sendTrailers({'grpc-status': '0'}));
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(answer.length, 1);
  stream.end(Buffer.concat([prefix, answer]));
}

const backendAt = (path: string, name: ContainerdBackendName = 'containerd') =>
  createContainerdBackend(name, {
    runner: {nodePath: process.execPath, runtimePaths: []},
    executor: createSpawnExecutor(),
    files: createHostFiles(),
    socket: path,
    runtime: name === 'kata' ? 'kata' : 'runc',
  });

test('a socket that does not exist is reported with the option to correct', async () => {
  expect(await backendAt('/nonexistent/containerd.sock', 'kata').probe()).toMatchObject({
    available: false,
    backend: 'kata',
    problem: {
      message: '`/nonexistent/containerd.sock` does not exist',
      help: 'correct `security.sandbox.backends.kata.socket`',
    },
  });
});

test.skipIf(process.platform !== 'linux')('the reason of a containerd that refuses is reported', async () => {
  await listen(() => ({status: 7, reason: 'access denied: 100 %'}));
  expect(await backendAt(socket).probe()).toMatchObject({
    available: false,
    problem: {message: `containerd does not answer at \`${socket}\` (\`access denied: 100 %\`)`},
  });
});

const missingShim =
  'failed to start shim: failed to resolve runtime path: runtime "io.containerd.kata.v2" binary not installed "containerd-shim-kata-v2": file does not exist';

test.skipIf(process.platform !== 'linux')(
  'Kata Containers that are not installed are reported, and nothing is left',
  async () => {
    const asked = await listen(({method}) => {
      if (method === 'Version/Version') return encodeMessage({1: '1.6.20'});
      if (method === 'Tasks/Create') return {status: 2, reason: missingShim};
      return method.startsWith('Tasks/') ? {status: 5, reason: 'task not found'} : encodeMessage({});
    });
    expect(await backendAt(socket, 'kata').probe()).toMatchObject({
      available: false,
      problem: {message: 'containerd does not find `containerd-shim-kata-v2`'},
    });
    expect(asked.map(({method}) => method)).toEqual([
      'Version/Version',
      'Containers/Create',
      'Tasks/Create',
      'Tasks/Kill',
      'Tasks/Delete',
      'Containers/Delete',
    ]);
    expect(new Set(asked.map(({namespace}) => namespace))).toEqual(new Set(['lumenflow']));
    const container = decodeMessage(decodeMessage(asked[1]?.message ?? Buffer.alloc(0)).get(1)?.[0] as Buffer);
    expect(
      decodeMessage(container.get(4)?.[0] as Buffer)
        .get(1)
        ?.toString(),
    ).toBe('io.containerd.kata.v2');
  },
);

test('another program at the socket is not containerd', async () => {
  const other = createHttpServer((_, response) => response.end('hello'));
  server = other.listen(socket);
  await once(other, 'listening');
  const backend = backendAt(socket);
  expect(await backend.probe()).toMatchObject({available: false});
  await backend.reap();
});

test('only containers of hosts that have ended are removed', async () => {
  const [namespace] = thisProcess().split('-');
  const labels = {ended: `${namespace}-4194305`, mine: thisProcess(), elsewhere: '1-4194305', other: 'unknown'};
  const containers = Object.entries(labels).map(([id, owner]) =>
    encodeMessage({1: id, 2: [encodeMessage({1: 'dev.lumenflow.host', 2: owner})]}),
  );
  const asked = await listen(({method}) =>
    method === 'Containers/List' ? encodeMessage({1: containers}) : encodeMessage({}),
  );
  await backendAt(socket).reap();
  const [list, ...rest] = asked.map(({method, message}) => `${method} ${decodeMessage(message).get(1)?.join() ?? ''}`);
  expect(list).toBe('Containers/List labels."dev.lumenflow.host"');
  expect(rest).toEqual(['Tasks/Kill ended', 'Tasks/Wait ended', 'Tasks/Delete ended', 'Containers/Delete ended']);
});
