// Requests against a server of this file.
import type {ServiceCall, ServiceClient, ServiceReply} from '@lumenflow/kernel/adapters';
import {createHostNetwork} from '@lumenflow/sandbox';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, beforeEach, expect, it} from 'vitest';
import type {OperationPlan, PlannedCredential, PlannedParameter} from '../document/operation-plan.ts';
import {createOpenapiClient} from './create-openapi-client.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

let answer: Answer;
let server: Server;
let address: string;
let client: ServiceClient;
let seen: {readonly line: string; readonly headers: IncomingMessage['headers']; readonly body: string}[];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      seen.push({line: `${request.method} ${request.url}`, headers: request.headers, body: body.toString()});
      answer(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  seen = [];
  client = createOpenapiClient(() => 0);
  answer = (_request, response) => response.setHeader('content-type', 'application/json').end('{"ok":true}');
});

afterAll(() => {
  client.close();
  server.close();
});

const plain: OperationPlan = {method: 'GET', path: '/pets', parameters: [], credentials: []};
const parameter = (name: string, place: PlannedParameter['in']): PlannedParameter => ({
  name,
  property: name,
  in: place,
  style: place === 'path' || place === 'header' ? 'simple' : 'form',
  explode: false,
});

async function call(plan: Partial<OperationPlan>, more: Partial<ServiceCall> = {}): Promise<ServiceReply> {
  const {host} = new URL(address);
  return await client.call({
    plan: {...plain, ...plan},
    server: `${address}/v1`,
    input: {},
    env: {TOKEN: 's3cret-token', USER: 'ada', PASSWORD: 'p&ss'},
    network: createHostNetwork({posture: 'allowlist', allowlist_entries: [host]}),
    signal: new AbortController().signal,
    timeoutMs: 5_000,
    onProgress: () => undefined,
    ...more,
  });
}

it('fills path, query, headers, cookies and body', async () => {
  const parameters = [
    parameter('id', 'path'),
    parameter('limit', 'query'),
    parameter('x-trace', 'header'),
    parameter('mode', 'cookie'),
  ];
  const body = {media_type: 'application/json', files: []};
  const input = {id: 'a/b', limit: 5, 'x-trace': 't', mode: 'fast', body: {name: 'Rex'}};
  expect(await call({method: 'PUT', path: '/pets/{id}', parameters, body}, {input})).toMatchObject({value: {ok: true}});
  const [request] = seen;
  expect(request?.line).toBe('PUT /v1/pets/a%2Fb?limit=5');
  expect(request?.headers).toMatchObject({'x-trace': 't', cookie: 'mode=fast', 'content-type': 'application/json'});
  expect(request?.body).toBe('{"name":"Rex"}');
});

it.each([
  ['..', /cannot be empty/u],
  ['.', /cannot be empty/u],
  ['', /cannot be empty/u],
  ['../admin', /cannot contain/u],
  ['a/..', /cannot contain/u],
  [String.raw`..\admin`, /cannot contain/u],
])('refuses the path segment `%s`, which leads to another operation', async (id, message) => {
  const reply = await call({path: '/pets/{id}/keys', parameters: [parameter('id', 'path')]}, {input: {id}});
  expect(reply).toMatchObject({ok: false, failure: {code: 'INVALID_INPUT', message: expect.stringMatching(message)}});
  expect(seen).toEqual([]);
});

it('refuses a header that contains a line break', async () => {
  const reply = await call({parameters: [parameter('x-a', 'header')]}, {input: {'x-a': 'a\r\nx-b: c'}});
  expect(reply).toMatchObject({ok: false, failure: {code: 'INVALID_INPUT'}});
});

it.each([
  [{kind: 'bearer', token: 'TOKEN'}, 'the header `authorization` contains'],
  [{kind: 'key', in: 'header', name: 'x key', token: 'TOKEN'}, '"x key" is not a valid name'],
] as const)('reports a credential that cannot be sent, without its value: %j', async (credential, message) => {
  const reply = await call({credentials: [credential]}, {env: {TOKEN: 's3cret-token\n'}});
  expect(reply).toMatchObject({
    failure: {
      code: 'UPSTREAM_FAILED',
      message: expect.stringContaining(message),
      details: {remedy: expect.any(String)},
    },
  });
  expect(JSON.stringify(reply)).not.toContain('s3cret');
});

it('sends forms and files', async () => {
  const input = {body: {name: 'a b', tags: ['x', 'y']}};
  await call({method: 'POST', body: {media_type: 'application/x-www-form-urlencoded', files: []}}, {input});
  expect(seen[0]?.body).toBe('name=a+b&tags=x&tags=y');
  const upload = {body: {note: 'hi', file: Buffer.from('bytes').toString('base64')}};
  await call({method: 'POST', body: {media_type: 'multipart/form-data', files: ['file']}}, {input: upload});
  expect(seen[1]?.body).toMatch(/name="note"\r\n\r\nhi\r\n[^]*filename="file"[^]*\r\n\r\nbytes\r\n/u);
  const raw = {body: Buffer.from([1, 2]).toString('base64')};
  await call({method: 'POST', body: {media_type: 'application/octet-stream', files: []}}, {input: raw});
  expect(seen[2]?.body).toBe('\u0001\u0002');
});

const credentials: readonly [string, PlannedCredential, (request: (typeof seen)[number]) => unknown, string][] = [
  ['bearer', {kind: 'bearer', token: 'TOKEN'}, ({headers}) => headers.authorization, 'Bearer s3cret-token'],
  [
    'basic',
    {kind: 'basic', username: 'USER', password: 'PASSWORD'},
    ({headers}) => headers.authorization,
    `Basic ${Buffer.from('ada:p&ss').toString('base64')}`,
  ],
  [
    'header',
    {kind: 'key', in: 'header', name: 'X-Key', token: 'TOKEN'},
    ({headers}) => headers['x-key'],
    's3cret-token',
  ],
  ['query', {kind: 'key', in: 'query', name: 'key', token: 'PASSWORD'}, ({line}) => line, 'GET /v1/pets?key=p%26ss'],
  [
    'cookie',
    {kind: 'key', in: 'cookie', name: 'sid', token: 'TOKEN'},
    ({headers}) => headers.cookie,
    'sid=s3cret-token',
  ],
];

it.each(credentials)('adds a credential: %s', async (_name, credential, read, expected) => {
  await call({credentials: [credential]});
  expect(seen.map(read)).toEqual([expected]);
});

it('does not allow an input to replace a key in the query', async () => {
  const key = {kind: 'key', in: 'query', name: 'key', token: 'TOKEN'} as const;
  await call({parameters: [parameter('key', 'query')], credentials: [key]}, {input: {key: 'mine'}});
  expect(seen[0]?.line).toBe('GET /v1/pets?key=s3cret-token');
});

it('gets an OAuth 2 token once, and a new one when it is rejected', async () => {
  let issued = 0;
  answer = (request, response, body) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/token') {
      expect(body.toString()).toBe('grant_type=client_credentials&scope=read');
      response.end(JSON.stringify({access_token: `token-${(issued += 1)}`, expires_in: 3_600}));
    } else response.writeHead(request.headers.authorization === 'Bearer token-2' ? 200 : 401).end('{}');
  };
  const oauth = {
    kind: 'oauth2',
    token_url: '/token',
    scopes: ['read'],
    client_id: 'USER',
    client_secret: 'PASSWORD',
  } as const;
  expect(await call({credentials: [oauth]})).toMatchObject({ok: true});
  expect(await call({credentials: [oauth]})).toMatchObject({ok: true, secrets: ['token-2']});
  expect(seen.map(({line}) => line)).toEqual([
    'POST /token',
    'GET /v1/pets',
    'POST /token',
    'GET /v1/pets',
    'GET /v1/pets',
  ]);
});

it.each([
  ['application/problem+json', '{"a":1}', {a: 1}],
  ['application/json', '', null],
  ['application/json', '\uFEFF{"a":1}', {a: 1}],
  ['text/plain', 'hello', 'hello'],
  ['image/png', '\u0001\u0002', {content_type: 'image/png', size_bytes: 2, content_base64: 'AQI='}],
])('normalises a response of the type %s', async (type, text, value) => {
  answer = (_request, response) => response.setHeader('content-type', type).end(text);
  expect(await call({})).toMatchObject({ok: true, value});
});

it.each([
  ['with an encoding that was not accepted', {'content-encoding': 'gzip'}, '{}', 'the content encoding gzip'],
  ['nested too deeply', {}, `${'['.repeat(1e5)}${']'.repeat(1e5)}`, 'is not valid JSON'],
])('reports a response %s', async (_what, headers, text, message) => {
  answer = (_request, response) => response.writeHead(200, {'content-type': 'application/json', ...headers}).end(text);
  expect(await call({})).toMatchObject({
    failure: {code: 'UPSTREAM_FAILED', message: expect.stringContaining(message)},
  });
  expect(seen[0]?.headers['accept-encoding']).toBe('identity');
});

it('hides a secret before it cuts the body of a failure', async () => {
  answer = (_request, response) => response.writeHead(400).end(`${'x'.repeat(3_995)}s3cret-token`);
  expect(JSON.stringify(await call({credentials: [{kind: 'bearer', token: 'TOKEN'}]}))).not.toContain('s3c');
});

it('reports a response that is not the JSON it says it is', async () => {
  answer = (_request, response) => response.setHeader('content-type', 'application/json').end('<html>');
  expect(await call({})).toMatchObject({ok: false, failure: {code: 'UPSTREAM_FAILED'}});
});

it.each([
  [404, false, undefined],
  [500, false, undefined],
  [503, true, undefined],
  [429, true, 2_000],
])('reports status %s with its body', async (status, isUnavailable, retryAfterMs) => {
  answer = (_request, response) =>
    response
      .writeHead(status, {'content-type': 'application/json', ...(retryAfterMs && {'retry-after': '2'})})
      .end('{"why":"no"}');
  expect(await call({})).toMatchObject({
    ok: false,
    isUnavailable,
    retryAfterMs,
    failure: {code: 'UPSTREAM_FAILED', details: {status, body: {why: 'no'}, remedy: expect.any(String)}},
  });
});

it('bounds what it reads', async () => {
  answer = (_request, response) => {
    response.on('close', () => undefined).on('error', () => undefined);
    for (let part = 0; part < 10; part++) response.write(Buffer.alloc(1024 * 1024));
    response.end();
  };
  expect(await call({})).toMatchObject({ok: false, failure: {code: 'OUTPUT_TOO_LARGE'}});
  answer = (_request, response) => response.writeHead(400).end('x'.repeat(100_000));
  const reply = await call({});
  expect(JSON.stringify(reply).length).toBeLessThan(5_000);
});

it('follows redirects on the same server only', async () => {
  answer = (request, response) => {
    if (request.url === '/v1/pets') response.writeHead(302, {location: '/v2/pets'}).end();
    else response.setHeader('content-type', 'text/plain').end('moved');
  };
  expect(await call({credentials: [{kind: 'bearer', token: 'TOKEN'}]})).toMatchObject({ok: true, value: 'moved'});
  expect(seen[1]?.headers.authorization).toBe('Bearer s3cret-token');
  seen = [];
  for (const location of [
    `http://localhost:${new URL(address).port}/`,
    'https://elsewhere.example/',
    address.replace('http', 'https'),
  ]) {
    answer = (_request, response) => response.writeHead(302, {location}).end();
    expect(await call({})).toMatchObject({ok: false, failure: {details: {status: 302}}});
  }
  expect(seen).toHaveLength(3);
  answer = (_request, response) => response.writeHead(302, {location: '/v1/pets'}).end();
  expect(await call({})).toMatchObject({ok: false, failure: {details: {status: 302}}});
  expect(await call({method: 'POST'})).toMatchObject({ok: false, failure: {details: {status: 302}}});
});

it('dials only what the network allows', async () => {
  const network = createHostNetwork({posture: 'allowlist', allowlist_entries: ['api.example:443']});
  expect(await call({}, {network})).toMatchObject({
    ok: false,
    isUnsent: true,
    failure: {code: 'UPSTREAM_UNAVAILABLE', message: expect.stringContaining('no entry of the allowlist allows it')},
  });
  expect(seen).toEqual([]);
});

it('reports a server that is down as one that got nothing, and ends with the call', async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const {port} = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const network = createHostNetwork({posture: 'allowlist', allowlist_entries: [`127.0.0.1:${port}`]});
  expect(await call({}, {network, server: `http://127.0.0.1:${port}`})).toMatchObject({isUnsent: true});
  answer = () => undefined;
  const signal = AbortSignal.timeout(50);
  await expect(call({}, {signal})).rejects.toMatchObject({name: expect.stringMatching(/Abort|Timeout/u)});
  answer = (request) => request.socket.destroy();
  expect(await call({})).toMatchObject({ok: false, isUnavailable: true, isUnsent: false});
  answer = (request) =>
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  expect(await call({})).toMatchObject({failure: {message: 'the server did not reply with an HTTP response'}});
});
