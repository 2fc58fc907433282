// The balancer with real HTTP/2 workers of the test's own.
import {once} from 'node:events';
import {connect, createServer, type ClientHttp2Session, type Http2Server, type ServerHttp2Stream} from 'node:http2';
import type {AddressInfo} from 'node:net';
import {afterEach, beforeEach, expect, it} from 'vitest';
import {startEngineBalancer, type EngineBalancer} from './start-engine-balancer.ts';

interface Stub {
  readonly server: Http2Server;
  readonly url: string;
  readonly streams: ServerHttp2Stream[];
  answer: (stream: ServerHttp2Stream) => void;
}

let stubs: Stub[];
let balancer: EngineBalancer;
let client: ClientHttp2Session;

beforeEach(async () => {
  stubs = await Promise.all([startStub(), startStub()]);
  balancer = await startEngineBalancer({}, {hostname: '127.0.0.1', port: 0, workers: stubs.map(({url}) => url)});
  client = connect(balancer.url);
});
afterEach(async () => {
  client.destroy();
  await balancer.close();
  for (const {server} of stubs) server.close();
});

it('gives each request of one connection to the worker with the fewest, and its bytes both ways', async () => {
  for (const stub of stubs) stub.answer = (stream) => stream.respond({':status': 200, 'x-from': 'worker'});
  const requests = Array.from({length: 6}, () =>
    client.request({':method': 'POST', ':path': '/invoke', 'x-sign': 's'}),
  );
  await Promise.all(requests.map((request) => once(request, 'response')));
  expect(stubs.map(({streams}) => streams.length)).toEqual([3, 3]);
  for (const {streams} of stubs) for (const stream of streams) expect(stream.sentHeaders?.['x-from']).toBe('worker');
  const [first] = requests;
  first?.write('question');
  const stream = await carrying(stubs, 'question');
  stream.end('reply');
  expect(await textOf(first)).toBe('reply');
});

it('takes turns if no worker has a request', async () => {
  for (const stub of stubs) stub.answer = (stream) => stream.respond({':status': 200}, {endStream: true});
  for (let requests = 0; requests < 4; requests += 1) expect(await ask()).toBe(200);
  expect(stubs.map(({streams}) => streams.length)).toEqual([2, 2]);
});

it('gives the requests of a worker that refuses them to the others, and reports when there is none', async () => {
  const [draining, other] = stubs;
  if (draining) draining.answer = (stream) => stream.respond({':status': 503}, {endStream: true});
  if (other) other.answer = (stream) => stream.respond({':status': 200}, {endStream: true});
  expect([await ask(), await ask(), await ask()]).toEqual([503, 200, 200]);
  if (other) other.answer = (stream) => stream.respond({':status': 503}, {endStream: true});
  expect([await ask(), await ask()]).toEqual([503, 503]);
});

it('passes over a worker that does not listen', async () => {
  const [absent, other] = stubs;
  absent?.server.close();
  if (other) other.answer = (stream) => stream.respond({':status': 200}, {endStream: true});
  expect([await ask(), await ask()]).toEqual([200, 200]);
});

it('cancels a request whose client has reset it before its worker was connected', async () => {
  const request = client.request({':method': 'POST', ':path': '/invoke'});
  request.on('error', () => undefined);
  // Both frames arrive together.
  request.close(8);
  await expect.poll(() => stubs.flatMap(({streams}) => streams).length).toBe(1);
  await expect.poll(() => stubs.flatMap(({streams}) => streams).every(({closed}) => closed)).toBe(true);
  for (const stub of stubs) stub.answer = (stream) => stream.respond({':status': 200}, {endStream: true});
  expect(await ask()).toBe(200);
});

it('ends a request whose worker ends, so that the server repeats it', async () => {
  const [one] = stubs;
  if (one) one.answer = (stream) => stream.respond({':status': 200});
  const request = client.request({':method': 'POST', ':path': '/invoke'});
  await once(request, 'response');
  const failed = once(request, 'error');
  one?.streams[0]?.session?.destroy();
  await failed;
});

it('refuses to listen for other machines without signatures of the server', async () => {
  const options = {hostname: '0.0.0.0', port: 0, workers: []};
  await expect(startEngineBalancer({}, options)).rejects.toThrow('set `engine.identity_keys` in workspace.yaml');
});

async function ask(): Promise<number | undefined> {
  const request = client.request({':method': 'GET', ':path': '/discover'});
  const [headers] = (await once(request, 'response')) as [{':status'?: number}];
  request.resume();
  return headers[':status'];
}

async function carrying(all: readonly Stub[], text: string): Promise<ServerHttp2Stream> {
  return await new Promise((resolve) => {
    for (const stream of all.flatMap(({streams}) => streams))
      stream.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes(text)) resolve(stream);
      });
  });
}

async function textOf(stream: AsyncIterable<unknown> | undefined): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
}

async function startStub(): Promise<Stub> {
  const server = createServer();
  const stub: Stub = {server, url: '', streams: [], answer: (stream) => stream.respond({':status': 200})};
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stub.streams.push(stream);
    stub.answer(stream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(stub, {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`});
}
