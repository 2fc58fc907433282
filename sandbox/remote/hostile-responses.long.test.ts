// A party between a host and a real worker, which changes, swaps and repeats responses.
import {createServer, request as forward, type IncomingMessage, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {contentDigest} from '../signatures/content-digest.ts';
import {makeTestKey, openWorkerBench, type WorkerBench} from '../testing/worker-bench.fixture.ts';
import {createWorkerClient, type WorkerClient} from './worker-client.ts';
import {parseWorkerKey} from './worker-key.ts';

interface Reply {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

const hostKey = makeTestKey('host');
const [first, second] = ['aa', 'bb'].map((byte) => byte.repeat(32));
let bench: WorkerBench;
let middle: Server;
/** Where requests are passed on to. */
let target: string;
let client: WorkerClient;
let manipulate: (reply: Reply, body: Buffer) => Reply | Promise<Reply>;

async function read(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}

/** What the worker replies to a request as it came. */
async function passOn(
  url: string,
  {method = '', url: path = '', rawHeaders}: IncomingMessage,
  body: Buffer,
): Promise<Reply> {
  const {hostname, port} = new URL(url);
  const sent = forward({hostname, port, method, path, headers: rawHeaders, agent: false});
  const replied = new Promise<IncomingMessage>((resolve, reject) =>
    sent.once('response', resolve).once('error', reject),
  );
  sent.end(body);
  const response = await replied;
  return {status: response.statusCode ?? 0, headers: response.rawHeaders, body: await read(response)};
}

beforeAll(async () => {
  bench = await openWorkerBench({hostKey});
  target = bench.worker.url;
  middle = createServer((request, response) => {
    void (async () => {
      const body = await read(request);
      const reply = await manipulate(await passOn(target, request, body), body);
      response.writeHead(reply.status, [...reply.headers]).end(reply.body);
    })();
  });
  await new Promise<void>((resolve) => void middle.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(middle.address() as AddressInfo).port}`;
  const key = parseWorkerKey(bench.listed.key)!;
  client = createWorkerClient({name: 'bench', url, key}, {key: hostKey, now: Date.now});
});
afterAll(async () => {
  client.close();
  await new Promise((resolve) => middle.close(resolve));
  await bench.close();
});

const ask = (digest = first): ReturnType<WorkerClient['send']> =>
  client.send({
    method: 'POST',
    path: '/v1/contents/missing',
    body: Buffer.from(JSON.stringify([digest])),
    timeoutMs: 30_000,
  });

const notItsOwn = {ok: false, problem: {message: expect.stringContaining('is not its own')}};
const setField = (headers: readonly string[], name: string, value: string): readonly string[] =>
  headers.map((each, index) => (index % 2 === 1 && headers[index - 1]?.toLowerCase() === name ? value : each));

test('what the worker replies is accepted, unchanged', async () => {
  manipulate = (reply) => reply;
  const reply = await ask();
  expect(reply).toMatchObject({ok: true});
  expect(reply.ok && reply.value.body.toString()).toBe(JSON.stringify([first]));
});

test.each<[string, (reply: Reply) => Reply]>([
  ['another body', (reply) => ({...reply, body: Buffer.from(reply.body.toString().replace('aa', 'bb'))})],
  [
    'another body with its digest',
    ({headers, ...reply}) => {
      const body = Buffer.from(reply.body.toString().replace('aa', 'bb'));
      return {...reply, body, headers: setField(headers, 'content-digest', contentDigest(body))};
    },
  ],
  ['another status', (reply) => ({...reply, status: 201})],
  [
    'another content type',
    ({headers, ...reply}) => ({...reply, headers: setField(headers, 'content-type', 'text/plain')}),
  ],
  ['two signatures', ({headers, ...reply}) => ({...reply, headers: [...headers, 'signature', 'x=:AAAA:']})],
  [
    'no signature',
    ({headers, ...reply}) => ({
      ...reply,
      headers: headers.map((each) => (each === 'signature' ? 'x-signature' : each)),
    }),
  ],
])('a response with %s is refused', async (_, change) => {
  manipulate = change;
  expect(await ask()).toMatchObject(notItsOwn);
});

test('responses that are swapped between two requests are refused', async () => {
  const arrived: {readonly reply: Reply; readonly give: (other: Reply) => void}[] = [];
  manipulate = async (reply) =>
    await new Promise((give) => {
      arrived.push({reply, give});
      const [one, other] = arrived;
      if (one === undefined || other === undefined) return;
      one.give(other.reply);
      other.give(one.reply);
    });
  expect(await Promise.all([ask(first), ask(second)])).toMatchObject([notItsOwn, notItsOwn]);
});

test('a response that is repeated for the same question is refused', async () => {
  let kept: Reply | undefined;
  manipulate = (reply) => (kept ??= reply);
  expect(await ask()).toMatchObject({ok: true});
  expect(await ask()).toMatchObject(notItsOwn);
});

test('a request that is diverted to another worker of the same hosts runs nothing there', async () => {
  const other = await openWorkerBench({hostKey, name: 'other'});
  try {
    target = other.worker.url;
    manipulate = (reply) => reply;
    expect(await ask()).toMatchObject({
      ok: false,
      problem: {message: expect.stringContaining('is for the worker with the key `bench+')},
    });
  } finally {
    target = bench.worker.url;
    await other.close();
  }
});
