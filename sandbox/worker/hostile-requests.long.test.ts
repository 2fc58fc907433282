// Attacks on a real worker over a socket. Each sends a content that the worker must not store.
import {createHash, randomBytes} from 'node:crypto';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {packContents} from '../remote/packed-contents.ts';
import {contentDigest} from '../signatures/content-digest.ts';
import {signRequest, type RequestSigning} from '../signatures/sign-request.ts';
import {openSocket, rawBytes, sendRaw, type RawReply, type RawRequest} from '../testing/raw-exchange.fixture.ts';
import {makeTestKey, openWorkerBench, type WorkerBench} from '../testing/worker-bench.fixture.ts';

const hostKey = makeTestKey('host');
const forgotten = makeTestKey('forgotten');
const trusted = new Map([hostKey, forgotten].map(({id, publicKey}) => [id, publicKey]));
let bench: WorkerBench;
beforeAll(async () => {
  bench = await openWorkerBench({hostKey, hostKeys: () => trusted});
});
afterAll(() => bench.close());

const recipientOf = ({listed}: WorkerBench): string => listed.key.split('+', 2).join('+');
const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

interface Upload extends RawRequest {
  readonly content: Buffer;
}

function signed(method: string, path: string, body: Buffer, signing: Partial<RequestSigning> = {}): RawRequest {
  const url = new URL(path, bench.worker.url);
  const options = {
    key: hostKey,
    recipient: recipientOf(bench),
    now: Date.now(),
    nonce: randomBytes(16).toString('base64url'),
    ...signing,
  };
  const headers = signRequest({method, url, headers: {'content-type': 'application/octet-stream'}, body}, options);
  const all = {host: url.host, ...headers, 'content-length': String(body.length), connection: 'close'};
  return {method, target: `${url.pathname}${url.search}`, headers: Object.entries(all), body};
}

function upload(signing: Partial<RequestSigning> = {}): Upload {
  const content = randomBytes(40);
  return {content, ...signed('PUT', '/v1/contents', packContents([content]), signing)};
}

const send = (request: RawRequest): Promise<RawReply> => sendRaw(bench.worker.url, rawBytes(request));

/** By the host that asks: `hostKey`, unless `signing` names another one. */
async function isStored(content: Buffer, signing: Partial<RequestSigning> = {}): Promise<boolean> {
  const asked = signed('POST', '/v1/contents/missing', Buffer.from(JSON.stringify([digestOf(content)])), signing);
  const {statuses, text} = await send(asked);
  expect(statuses).toEqual([200]);
  return text.endsWith('\r\n\r\n[]');
}

type Headers = RawRequest['headers'];
const replace = (headers: Headers, name: string, change: (value: string) => string): Headers =>
  headers.map(([each, value]) => [each, each === name ? change(value) : value]);
const drop = (headers: Headers, name: string): Headers => headers.filter(([each]) => each !== name);
const twice = (headers: Headers, name: string, value?: string): Headers =>
  headers.flatMap(([each, given]) =>
    each === name
      ? ([
          [each, given],
          [each, value ?? given],
        ] as const)
      : [[each, given] as const],
  );
const valueOf = (headers: Headers, name: string): string => headers.find(([each]) => each === name)?.[1] ?? '';

test('an upload by a trusted host is stored, in any case of its field names', async () => {
  const {content, ...request} = upload();
  expect(await isStored(content)).toBe(false);
  const odd = request.headers.map(([name, value]) => [name.toUpperCase(), value] as const);
  expect(await send({...request, headers: odd})).toMatchObject({statuses: [200]});
  expect(await isStored(content)).toBe(true);
});

test('a host does not find the contents of another host', async () => {
  const {content, ...request} = upload();
  expect(await send(request)).toMatchObject({statuses: [200]});
  expect(await isStored(content)).toBe(true);
  expect(await isStored(content, {key: forgotten})).toBe(false);
});

test('a replayed request is refused', async () => {
  const {content: _, ...request} = upload();
  expect(await send(request)).toMatchObject({statuses: [200]});
  expect(await send(request)).toMatchObject({statuses: [401], text: expect.stringContaining('its nonce is used')});
});

const input = 'signature-input';
const minutes = 60_000;
const other = makeTestKey('other');

const refusedWith401: readonly (readonly [string, string, (request: Upload) => RawRequest])[] = [
  [
    'other body',
    'digest of the 44 bytes',
    (request) => ({...request, body: Buffer.from(request.body.map((byte, index) => (index === 10 ? byte ^ 1 : byte)))}),
  ],
  [
    'other body and digest',
    'does not match',
    (request) => {
      const body = packContents([request.content, Buffer.from('more')]);
      const headers = replace(request.headers, 'content-digest', () => contentDigest(body));
      return {...request, body, headers: replace(headers, 'content-length', () => String(body.length))};
    },
  ],
  ['other path', 'does not match', (request) => ({...request, target: '/v1/executions'})],
  ['other spelling of the path', 'does not match', (request) => ({...request, target: '/v1/./contents'})],
  ['other query', 'does not match', (request) => ({...request, target: '/v1/contents?x=1'})],
  ['other method', 'does not match', (request) => ({...request, method: 'POST'})],
  [
    'other authority',
    'does not match',
    (request) => ({...request, headers: replace(request.headers, 'host', () => 'evil.example')}),
  ],
  [
    'absolute target',
    'is not a path',
    (request) => ({...request, target: `http://${valueOf(request.headers, 'host')}${request.target}`}),
  ],
  ['clock that is behind', 'signature expired', () => upload({now: Date.now() - 5 * minutes})],
  ['clock that is ahead', 'in the future', () => upload({now: Date.now() + 5 * minutes})],
  ['unknown key', 'is not trusted', () => upload({key: other})],
  ['other key under a known id', 'does not match', () => upload({key: {...other, id: hostKey.id}})],
  ['other worker', 'is for the worker with the key', () => upload({recipient: other.id})],
  [
    'downgraded algorithm',
    'is not accepted',
    (request) => ({
      ...request,
      headers: replace(request.headers, input, (value) => value.replace('ed25519', 'hmac-sha256')),
    }),
  ],
  [
    'uncovered digest',
    'the signature does not cover',
    (request) => ({
      ...request,
      headers: replace(request.headers, input, (value) => value.replace(' "content-digest"', '')),
    }),
  ],
  ['no signature', '`signature` is missing', (request) => ({...request, headers: drop(request.headers, 'signature')})],
  ['signature twice', 'sent 2 times', (request) => ({...request, headers: twice(request.headers, 'signature')})],
  [
    'digest twice',
    'sent 2 times',
    (request) => ({...request, headers: twice(request.headers, 'content-digest', contentDigest(Buffer.from('x')))}),
  ],
  [
    'content type twice',
    'sent 2 times',
    (request) => ({...request, headers: twice(request.headers, 'content-type', 'text/plain')}),
  ],
  [
    'added idempotency key',
    'the signature does not cover',
    (request) => ({...request, headers: [...request.headers, ['idempotency-key', 'x']]}),
  ],
  [
    'name with an underscore for a covered field',
    '`signature-input` is missing',
    (request) => ({
      ...request,
      headers: request.headers.map(([name, value]) => [name === input ? 'signature_input' : name, value]),
    }),
  ],
];

describe('refused is a request with', () => {
  test.each(refusedWith401)('%s', async (_, message, manipulate) => {
    const request = upload();
    const changed = manipulate(request);
    expect(await send(changed)).toMatchObject({statuses: [401], text: expect.stringContaining(message)});
    expect(await isStored(request.content)).toBe(false);
    if ('content' in changed) expect(await isStored(changed.content as Buffer)).toBe(false);
  });

  test('a key that is no longer trusted', async () => {
    expect(await send(upload({key: forgotten}))).toMatchObject({statuses: [200]});
    trusted.delete(forgotten.id);
    expect(await send(upload({key: forgotten}))).toMatchObject({statuses: [401]});
  });

  test.each<[string, (request: Upload) => Buffer | string]>([
    [
      'two different lengths',
      ({headers, ...request}) => rawBytes({...request, headers: twice(headers, 'content-length', '5')}),
    ],
    [
      'a length and chunks',
      ({headers, ...request}) => rawBytes({...request, headers: [...headers, ['transfer-encoding', 'chunked']]}),
    ],
    [
      'an unknown transfer encoding',
      ({headers, ...request}) =>
        rawBytes({...request, headers: [...drop(headers, 'content-length'), ['transfer-encoding', 'xchunked']]}),
    ],
    [
      'a space before a colon',
      ({headers, ...request}) =>
        rawBytes({
          ...request,
          headers: headers.map(([name, value]) => [name === 'content-length' ? `${name} ` : name, value]),
        }),
    ],
    [
      'a folded field',
      ({headers, ...request}) =>
        rawBytes({...request, headers: replace(headers, input, (value) => value.replace(';', '\r\n ;'))}),
    ],
    ['line ends without CR', (request) => rawBytes(request).toString('latin1').replaceAll('\r\n', '\n')],
    [
      'a signed length',
      ({headers, ...request}) =>
        rawBytes({...request, headers: replace(headers, 'content-length', (value) => `+${value}`)}),
    ],
    ['two hosts', ({headers, ...request}) => rawBytes({...request, headers: twice(headers, 'host', 'evil.example')})],
    ['no host', ({headers, ...request}) => rawBytes({...request, headers: drop(headers, 'host')})],
    ['a zero byte in a field', ({headers, ...request}) => rawBytes({...request, headers: [...headers, ['x', 'a\0b']]})],
    [
      'more headers than a server reads',
      ({headers, ...request}) => rawBytes({...request, headers: [...headers, ['x', 'y'.repeat(100_000)]]}),
    ],
  ])('%s', async (_, bytesOf) => {
    const request = upload();
    const {statuses} = await sendRaw(bench.worker.url, bytesOf(request));
    expect(statuses.filter((status) => status < 400)).toEqual([]);
    expect(await isStored(request.content)).toBe(false);
  });

  test('a body that ends early', async () => {
    const request = upload();
    const bytes = rawBytes(request);
    const {statuses} = await sendRaw(bench.worker.url, bytes.subarray(0, -1));
    expect(statuses.filter((status) => status < 400)).toEqual([]);
    expect(await isStored(request.content)).toBe(false);
  });

  test('a length beyond what a worker reads', async () => {
    const request = upload();
    const headers = replace(request.headers, 'content-length', () => String(1024 ** 3));
    const {statuses} = await send({...request, headers});
    expect(statuses.filter((status) => status !== 413)).toEqual([]);
    expect(await isStored(request.content)).toBe(false);
  });

  test('a second request hidden behind the first', async () => {
    const [first, second] = [upload(), upload()];
    const unsigned = {...second, headers: drop(second.headers, 'signature')};
    const pipelined = Buffer.concat([
      rawBytes({...first, headers: drop(first.headers, 'connection')}),
      rawBytes(unsigned),
    ]);
    const {statuses} = await sendRaw(bench.worker.url, pipelined);
    expect(statuses).toEqual([200, 401]);
    expect([await isStored(first.content), await isStored(second.content)]).toEqual([true, false]);
  });
});

test('a stranger cannot make a worker read a body', async () => {
  const socket = await openSocket(bench.worker.url);
  let text = '';
  socket.on('data', (part: Buffer) => (text += part.toString()));
  socket.on('error', () => undefined);
  const request = upload({key: other});
  const headers = drop(
    replace(request.headers, 'content-length', () => String(100 * 1024 ** 2)),
    'connection',
  );
  socket.write(rawBytes({...request, headers}));
  await new Promise((resolve) => socket.once('close', resolve));
  expect(text).toMatch(/^HTTP\/1\.1 401/u);
});

test('connections that send nearly nothing are closed, and hinder no other host', async () => {
  const {content, ...request} = upload();
  const sockets = await Promise.all(Array.from({length: 50}, () => openSocket(bench.worker.url)));
  const closed = sockets.map((socket) => {
    socket.on('error', () => undefined);
    socket.resume();
    socket.write('PUT /v1/contents HTTP/1.1\r\nhost: x\r\n');
    return new Promise((resolve) => socket.once('close', resolve));
  });
  expect(await send(request)).toMatchObject({statuses: [200]});
  expect(await isStored(content)).toBe(true);
  await Promise.all(closed);
});
