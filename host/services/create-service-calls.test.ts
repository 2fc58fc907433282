// Calls of a service with two servers, each of which a test can stop.
import type {DispatchRequest} from '@lumenflow/kernel';
import type {Invocation, ToolOutput} from '@lumenflow/schemas';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, it} from 'vitest';
import {createServiceCalls, type ServiceCalls} from './create-service-calls.ts';

const folder = mkdtempSync(join(tmpdir(), 'lumenflow-service-'));
const plan = {method: 'GET', path: '/', parameters: [], credentials: []};
writeFileSync(join(folder, 'plans.mjs'), `export const operation0 = ${JSON.stringify(plan)};`);

let servers: readonly {
  readonly server: Server;
  readonly address: string;
  reply: (response: ServerResponse) => void;
  count: number;
}[];
let calls: ServiceCalls;

beforeEach(async () => {
  servers = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const one = {
        server: createServer(),
        address: '',
        count: 0,
        reply: (response: ServerResponse) => void response.end(name),
      };
      one.server.on('request', (_request, response) => {
        one.count += 1;
        one.reply(response);
      });
      await new Promise<void>((resolve) => one.server.listen(0, '127.0.0.1', resolve));
      one.address = `http://127.0.0.1:${(one.server.address() as AddressInfo).port}`;
      return one;
    }),
  );
  calls = createServiceCalls({workspaceRoot: folder, now: Date.now});
});

afterEach(() => {
  calls.close();
  for (const {server} of servers) server.closeAllConnections();
  for (const {server} of servers) server.close();
});

async function call(
  more: {idempotent?: boolean; timeoutMs?: number; grant?: readonly string[]} = {},
): Promise<ToolOutput> {
  const {idempotent = true, timeoutMs = 5_000} = more;
  const addresses = servers.map(({address}) => address);
  const allowlist_entries = more.grant ?? addresses.map((address) => new URL(address).host);
  const request = {
    tool: {
      name: 'pets:list',
      module_path: join(folder, 'plans.mjs'),
      export_name: 'operation0',
      declaration: {idempotent},
      pack: {pin: {id: 'pets', source: 'openapi', servers: addresses}},
    },
    scope_enforced: {read: [], write: [], network: {posture: 'allowlist', allowlist_entries}},
    onProgress: () => undefined,
  } as unknown as DispatchRequest;
  const {output} = await calls.run(request, {input: {}, env: {}} as unknown as Invocation, timeoutMs);
  return output;
}

const counts = (): readonly number[] => servers.map(({count}) => count);

it('uses the next server for a repeatable call when the first one is down', async () => {
  expect(await call()).toMatchObject({data: 'a'});
  const [first] = servers;
  if (first) first.reply = (response) => void response.writeHead(503).end();
  expect(await call()).toMatchObject({data: 'b'});
  expect(counts()).toEqual([2, 1]);
  expect(await call({idempotent: false})).toMatchObject({error: {code: 'UPSTREAM_FAILED', details: {status: 503}}});
  expect(counts()).toEqual([3, 1]);
});

it('leaves time for the next server when the first one hangs', async () => {
  const [first] = servers;
  if (first) first.reply = () => undefined;
  expect(await call({timeoutMs: 1_500})).toMatchObject({data: 'b'});
  expect(counts()).toEqual([1, 1]);
});

it('repeats any call that no server got', async () => {
  await new Promise((resolve) => servers[0]?.server.close(resolve));
  expect(await call({idempotent: false})).toMatchObject({data: 'b'});
});

it('stops asking a service that is down, and says when to retry', async () => {
  for (const one of servers) one.reply = (response) => void response.writeHead(503).end();
  for (let count = 0; count < 10; count++) await call({idempotent: false});
  expect(counts()).toEqual([5, 5]);
  const output = await call();
  expect(counts()).toEqual([5, 5]);
  expect(output.error).toMatchObject({
    code: 'UPSTREAM_UNAVAILABLE',
    message: expect.stringMatching(/^the service `pets` did not reply to the last calls: retry in \d+ s$/u),
    details: {provider: 'pets', remedy: expect.stringContaining('lumenflow pack doctor pets')},
  });
});

it('does not wait longer than the call may take', async () => {
  for (const one of servers) one.reply = (response) => void response.writeHead(429, {'retry-after': '60'}).end();
  expect(await call({timeoutMs: 2_000})).toMatchObject({error: {details: {status: 429, remedy: 'retry in 60 s'}}});
  for (const one of servers) one.reply = () => undefined;
  expect(await call({timeoutMs: 100})).toMatchObject({error: {code: 'TOOL_TIMEOUT', details: {timeout_ms: 100}}});
});

it('counts a server that is too slow as one that is down', async () => {
  for (const one of servers) one.reply = () => undefined;
  for (let count = 0; count < 10; count++) await call({timeoutMs: 20});
  expect(await call()).toMatchObject({
    error: {code: 'UPSTREAM_UNAVAILABLE', details: {retry_after_ms: expect.any(Number)}},
  });
});

it('fails where the grant lacks the servers', async () => {
  for (let count = 0; count < 6; count++) {
    expect(await call({grant: ['api.example:443']})).toMatchObject({error: {code: 'SCOPE_DENIED'}});
  }
  // That says nothing about the servers.
  expect(await call()).toMatchObject({data: 'a'});
  const [, second] = servers;
  expect(await call({grant: [new URL(second?.address ?? '').host]})).toMatchObject({data: 'b'});
});

process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
