// Access over HTTP, from raw sockets where a client library cannot send an attacker's requests.
import {connect} from 'node:net';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {chmodSync} from 'node:fs';
import {openHttpStage, type HttpStage} from '../../support/http-stage.ts';

let http: HttpStage;
beforeEach(async () => {
  http = await openHttpStage();
});
afterEach(() => http.close());

/** Sends raw bytes and returns the whole answer until the server closes. */
async function sendRaw(text: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    const socket = connect(http.server.port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      received += String(chunk);
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}

function request(head: readonly string[], body = ''): string {
  return [...head, 'connection: close', '', body].join('\r\n');
}

const routes = [
  ['agent', 'GET', '/v1/tasks'],
  ['agent', 'POST', '/v1/tasks'],
  ['agent', 'GET', '/v1/tasks/t'],
  ['agent', 'POST', '/v1/tasks/t/claim'],
  ['agent', 'POST', '/v1/tasks/t/block'],
  ['agent', 'POST', '/v1/tasks/t/unblock'],
  ['agent', 'POST', '/v1/tasks/t/release'],
  ['agent', 'POST', '/v1/tasks/t/complete'],
  ['agent', 'POST', '/v1/sessions'],
  ['agent', 'GET', '/v1/tools?task_id=t'],
  ['operator', 'GET', '/v1/tools'],
  ['agent', 'POST', '/v1/tools/files:read'],
  ['agent', 'GET', '/v1/approvals'],
  ['operator', 'POST', '/v1/approvals/r'],
  ['agent', 'POST', '/v1/approvals/r/withdraw'],
  ['operator', 'GET', '/v1/evidence'],
  ['operator', 'GET', '/v1/evidence/verify'],
  ['operator', 'GET', '/v1/changes'],
  ['operator', 'POST', '/v1/changes/r/apply'],
  ['operator', 'POST', '/v1/changes/r/discard'],
  ['agent', 'GET', '/v1/evidence/r'],
  ['agent', 'GET', '/v1/evidence/r/input'],
  ['agent', 'GET', '/v1/evidence/r/output'],
  ['operator', 'GET', '/v1/events?after_seq=x'],
  ['agent', 'GET', '/v1/policy/explain?tool=t&task_id=t'],
  ['operator', 'GET', '/v1/policy/matrix?lane=l'],
  ['operator', 'GET', '/v1/policy/rules?since=x'],
  ['agent', 'GET', '/v1/caller'],
  ['agent', 'GET', '/v1/lanes'],
  ['agent', 'GET', '/openapi.json'],
  ['operator', 'GET', '/v1/approvals/r'],
  ['operator', 'GET', '/v1/calls/minutes'],
  ['operator', 'GET', '/v1/packs'],
  ['operator', 'GET', '/v1/sandbox'],
  ['operator', 'POST', '/v1/evidence/checkpoint'],
  ['operator', 'GET', '/metrics?x=1'],
] as const;

describe.each(routes)('a route for %s: %s %s', (role, method, path) => {
  const send = async (token: string | undefined): Promise<Response> =>
    await fetch(http.server.url + path, {
      method,
      ...(token !== undefined && {headers: {authorization: `Bearer ${token}`}}),
    });

  test('needs a token that is known', async () => {
    for (const token of [undefined, '', 'lf_guess', `${http.admin.token}x`]) {
      const response = await send(token);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await response.json()).toMatchObject({error: {code: 'UNAUTHENTICATED'}});
    }
  });

  test('is for that role and those above', async () => {
    const isRefused = async (token: string): Promise<boolean> => {
      const {error} = (await (await send(token)).json()) as {error?: {code: string}};
      return error?.code === 'ROLE_DENIED';
    };
    expect(await isRefused(http.agent.token)).toBe(role !== 'agent');
    expect(await isRefused(http.operator.token)).toBe(false);
    expect(await isRefused(http.admin.token)).toBe(false);
  });
});

test('a token in the address is not accepted', async () => {
  for (const key of ['token', 'access_token']) {
    expect((await fetch(`${http.server.url}/v1/tasks?${key}=${http.admin.token}`)).status).toBe(401);
  }
});

test('a token that is revoked, or whose file others may read, opens nothing more', async () => {
  expect((await http.agent.get('/v1/tasks')).status).toBe(200);
  await http.tokens.revoke('ann');
  expect((await http.agent.get('/v1/tasks')).status).toBe(401);
  chmodSync(http.tokens.path, 0o640);
  const refused = await http.admin.get('/v1/tasks');
  expect(refused).toMatchObject({status: 503, body: {error: {code: 'TOKENS_UNAVAILABLE'}}});
  expect(JSON.stringify(refused.body)).not.toContain(http.tokens.path);
  expect(http.errors).toHaveLength(1);
  chmodSync(http.tokens.path, 0o600);
  expect((await http.admin.get('/v1/tasks')).status).toBe(200);
});

test('health needs no token, and returns only the version and whether workspace.yaml has changed', async () => {
  const response = await fetch(`${http.server.url}/healthz`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({status: 'ok', version: '0.0.0', workspace: 'loaded'});
});

test.each(['/v1', '/v1/none', '/v1/tasks/', '/v1/evidence/%', '/%2e%2e/etc/passwd'])(
  'there is nothing at %s, and without a token not even that is answered',
  async (path) => {
    expect((await fetch(http.server.url + path)).status).toBe(401);
    expect(await http.admin.get(path)).toMatchObject({
      status: 404,
      body: {error: {code: expect.stringMatching(/^(?:ROUTE|RECEIPT)_NOT_FOUND$/)}},
    });
  },
);

test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is not a method of a path', async (method) => {
  const response = await fetch(`${http.server.url}/v1/tasks`, {
    method,
    headers: {authorization: `Bearer ${http.admin.token}`},
  });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, POST');
});

test('every answer forbids keeping, sniffing and framing, and allows no other origin', async () => {
  for (const path of ['/healthz', '/v1/tasks', '/v1/none']) {
    const {headers} = await fetch(http.server.url + path);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});

describe('a name that is not ours', () => {
  test.each(['evil.example', 'evil.example:80', '0.0.0.0', 'localhost.evil.example'])('Host: %s', async (name) => {
    const answer = await sendRaw(
      request(['GET /v1/tasks HTTP/1.1', `host: ${name}`, `authorization: Bearer ${http.admin.token}`]),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain('HOST_DENIED');
    expect(await sendRaw(request(['GET /healthz HTTP/1.1', `host: ${name}`]))).toMatch(/^HTTP\/1\.1 403 /);
  });

  test.each([
    ['none', request(['GET /healthz HTTP/1.1'])],
    ['two', request(['GET /healthz HTTP/1.1', 'host: localhost', 'host: evil.example'])],
    ['nonsense', request(['GET /healthz HTTP/1.1', 'host: a b'])],
    ['none of HTTP/1.0', request(['GET /healthz HTTP/1.0'])],
    ['another in the address', request(['GET http://evil.example/healthz HTTP/1.1', 'host: evil.example'])],
  ])('%s', async (_, text) => {
    expect(await sendRaw(text)).toMatch(/^HTTP\/1\.1 40[03] /);
  });

  test.each(['http://evil.example', 'null', 'http://localhost:1'])('Origin: %s', async (origin) => {
    const headers = {origin, authorization: `Bearer ${http.admin.token}`};
    const response = await fetch(`${http.server.url}/v1/tasks`, {headers});
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({error: {code: 'ORIGIN_DENIED'}});
  });

  test('our own origin is accepted', async () => {
    const headers = {origin: http.server.url, authorization: `Bearer ${http.admin.token}`};
    expect((await fetch(`${http.server.url}/v1/tasks`, {headers})).status).toBe(200);
  });
});

describe('bodies', () => {
  const bytesMax = 10 * 1024 * 1024;
  const inputOf = (bytes: number): string => `{"input":{"path":"${'x'.repeat(bytes - 21)}"}}`;

  test('10 MB are taken, and one byte more is not', async () => {
    const path = '/v1/tools/files:read';
    expect(inputOf(100)).toHaveLength(100);
    expect((await http.agent.post(path, undefined, {body: inputOf(bytesMax)})).status).toBe(200);
    const refused = await http.agent.post(path, undefined, {body: inputOf(bytesMax + 1)});
    expect(refused).toMatchObject({status: 413, body: {error: {code: 'BODY_TOO_LARGE'}}});
  });

  test('a body that says it is too large is refused before it comes', async () => {
    const head = ['POST /v1/tasks HTTP/1.1', 'host: localhost', `authorization: Bearer ${http.agent.token}`];
    const text = request([...head, 'content-type: application/json', 'content-length: 99999999999']);
    expect(await sendRaw(text)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('a body of unsaid length is refused when it grows too large', async () => {
    const chunk = new Uint8Array(1024 * 1024).fill(0x20);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 40) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const refused = await http.agent.post('/v1/tasks', undefined, {body, duplex: 'half'});
    expect(refused.status).toBe(413);
  });

  test.each([
    ['{"id": "t", lane_id: "core"}', 'line 1 column 13'],
    ['{"id": "t",\n', 'line 2 column 1'],
  ])('%j is reported to break at %s', async (body, place) => {
    const refused = await http.agent.post('/v1/tasks', undefined, {body});
    expect(refused).toMatchObject({
      status: 400,
      body: {error: {code: 'INVALID_INPUT', message: expect.stringContaining(place)}},
    });
  });

  test('another type than JSON is refused', async () => {
    const init = {body: 'id=t', headers: {'content-type': 'application/x-www-form-urlencoded'}};
    expect((await http.agent.post('/v1/tasks', undefined, init)).status).toBe(415);
  });

  test.each([
    [15_000, 400],
    [100_000, 413],
  ])('deep nesting is the caller’s mistake: %d levels', async (levels, status) => {
    const metadata = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const body = `{"id": "t", "lane_id": "core", "metadata": ${metadata}}`;
    expect((await http.agent.post('/v1/tasks', undefined, {body})).status).toBe(status);
    expect(http.errors).toEqual([]);
  });
});

test('a token may make so many requests a second', async () => {
  await http.close();
  http = await openHttpStage({server: {requestsPerSecond: 2}});
  const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => http.agent.get('/v1/tasks')));
  const statuses = answers.map(({status}) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
  const refused = answers.find(({status}) => status === 429);
  expect(refused?.body.error.code).toBe('RATE_LIMITED');
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await http.otherAgent.get('/v1/tasks')).toMatchObject({status: 200});
});

test('mistakes of an MCP client are answered, and not reported to the operator as errors of the server', async () => {
  const headers = {accept: 'application/json, text/event-stream'};
  const bodies = [
    '[]',
    '{"jsonrpc": "1.0"}',
    '{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}',
    '{"jsonrpc": "2.0", "id": 7, "result": {}}',
  ];
  for (const body of bodies) {
    for (const version of ['2025-11-25', '2026-07-28', 'x']) {
      const init = {body, headers: {...headers, 'mcp-protocol-version': version}};
      expect((await http.agent.post('/mcp', undefined, init)).status).toBeLessThan(500);
    }
  }
  expect(http.errors).toEqual([]);
});
