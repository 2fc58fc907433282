// `/mcp` on a real socket: the official client with a token, and requests without one.
import {openTokenStore, startHttpServer, type HttpServer, type TokenStore} from '@lumenflow/host';
import {StreamableHTTPClientTransport, type Client} from '@modelcontextprotocol/client';
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it, vi} from 'vitest';
import type {Host} from '@lumenflow/host';
import type {HostWorkspace} from '../../support/host-workspace.ts';
import {createClient, eras, makeDesk} from '../../support/mcp-desk.ts';

let desk: HostWorkspace;
let host: Host;
let server: HttpServer;
let tokens: TokenStore;
let token: string;

beforeAll(async () => {
  desk = makeDesk();
  host = await desk.start();
  tokens = openTokenStore(desk.root);
  token = await tokens.issue({name: 'ann', role: 'agent'});
  server = await startHttpServer(host, {tokens, version: '0.0.0'});
});
afterAll(async () => {
  await server.close();
  await desk.remove();
});

async function connect(
  client: Client,
  options: {readonly token?: string; readonly query?: string} = {},
): Promise<void> {
  const url = new URL(`${server.url}/mcp${options.query ?? ''}`);
  const headers = {authorization: `Bearer ${options.token ?? token}`};
  await client.connect(new StreamableHTTPClientTransport(url, {requestInit: {headers}}));
}
const tasksOf = (by: string) => host.runtime.listTasks({state: 'active'}).filter(({run}) => run?.by === by);

describe.each(eras)('a client of the %s era', (era) => {
  it('lists and calls, is denied with reasons, and receives progress', async () => {
    const client = createClient(era);
    await connect(client);
    expect((await client.listTools()).tools.map(({name}) => name)).toContain('desk_add');
    expect(await client.callTool({name: 'desk_add', arguments: {a: 1, b: 2}})).toMatchObject({
      structuredContent: {sum: 3},
    });
    expect((await client.callTool({name: 'desk_argued', arguments: {a: 1}})).structuredContent).toMatchObject({
      code: 'POLICY_DENIED',
      rule_id: 'not-one',
    });
    const received: unknown[] = [];
    await client.callTool({name: 'desk_chat', arguments: {}}, {onprogress: (progress) => void received.push(progress)});
    expect(received).toHaveLength(2);
    await client.close();
  });

  it('cancels a call by going away', async () => {
    rmSync(join(desk.root, 'notes'), {recursive: true, force: true});
    const client = createClient(era);
    await connect(client);
    const going = new AbortController();
    const waiting = client.callTool({name: 'desk_wait', arguments: {}}, {signal: going.signal});
    await vi.waitFor(() => expect(existsSync(join(desk.root, 'notes/waits'))).toBe(true), {timeout: 60_000});
    going.abort();
    await expect(waiting).rejects.toThrow();
    await vi.waitFor(
      async () => {
        const {receipts} = await host.runtime.evidence.readTraces({tool_name: 'desk:wait', limit: 1});
        expect(receipts[0]?.finished).toMatchObject({error_code: 'TOOL_CANCELLED'});
      },
      {timeout: 60_000},
    );
    await client.close();
  });
});

describe('the session of a caller', () => {
  it('is one for all its clients, another one for each lane and each caller', async () => {
    for (const query of ['', '', '?lane=other']) {
      const client = createClient('modern');
      await connect(client, {query});
      await client.listTools();
      await client.close();
    }
    expect(
      tasksOf('ann')
        .map(({lane_id}) => lane_id)
        .toSorted(),
    ).toEqual(['core', 'other']);
    const ben = createClient('modern');
    await connect(ben, {token: await tokens.issue({name: 'ben', role: 'agent'})});
    await ben.callTool({name: 'desk_add', arguments: {}});
    const [anns] = tasksOf('ann');
    await expect(ben.readResource({uri: `task://${anns?.task_id}`})).rejects.toThrow();
    await ben.close();
    expect(tasksOf('ben')).toHaveLength(1);
  });

  it('is opened again after somebody has ended it', async () => {
    const client = createClient('modern');
    await connect(client);
    await client.listTools();
    const [first] = tasksOf('ann').filter(({lane_id}) => lane_id === 'core');
    const {task_id = '', run} = first ?? {};
    await host.runtime.releaseTask({task_id, session_id: run?.session_id ?? '', reason: 'enough'});
    expect(await client.callTool({name: 'desk_add', arguments: {a: 1, b: 0}})).toMatchObject({
      structuredContent: {sum: 1},
    });
    await client.close();
  });

  it('is refused with a status where none can be had', async () => {
    const answer = await post({authorization: `Bearer ${token}`}, '?lane=none');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({error: {code: 'LANE_NOT_FOUND'}});
  });
});

describe('the door', () => {
  it.each<[string, number, Record<string, string>]>([
    ['without a token', 401, {}],
    ['with a wrong token', 401, {authorization: 'Bearer lf_wrong'}],
    ['from another site', 403, {origin: 'https://evil.example'}],
  ])('is closed to a request %s', async (_who, status, headers) => {
    const answer = await post({...(status === 403 && {authorization: `Bearer ${token}`}), ...headers});
    expect(answer.status).toBe(status);
  });

  it('takes no body without bounds', async () => {
    const answer = await post({authorization: `Bearer ${token}`}, '', JSON.stringify({x: 'x'.repeat(11_000_000)}));
    expect(answer.status).toBe(413);
  });
});

describe('a server that closes', () => {
  it('ends what runs, streams and sessions', async () => {
    const other = await startHttpServer(host, {tokens, version: '0.0.0'});
    const client = createClient('modern', {listChanged: {tools: {onChanged: () => undefined}}});
    const transport = new StreamableHTTPClientTransport(new URL(`${other.url}/mcp`), {
      requestInit: {headers: {authorization: `Bearer ${await tokens.issue({name: 'cleo', role: 'agent'})}`}},
    });
    await client.connect(transport);
    rmSync(join(desk.root, 'notes'), {recursive: true, force: true});
    const waiting = client.callTool({name: 'desk_wait', arguments: {}}).catch((error: unknown) => error);
    await vi.waitFor(() => expect(existsSync(join(desk.root, 'notes/waits'))).toBe(true), {timeout: 60_000});
    await other.close();
    await waiting;
    await client.close();
    expect(tasksOf('cleo')).toEqual([]);
  });
});

describe('a pack that is reloaded', () => {
  it('is announced to clients that listen', async () => {
    let isReported = false;
    const client = createClient('modern', {
      listChanged: {tools: {debounceMs: 0, onChanged: () => void (isReported = true)}},
    });
    await connect(client);
    const manifest = join(desk.root, 'packs/desk/manifest.yaml');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('Adds two numbers', 'Adds them up'));
    expect(await host.runtime.packs.reload()).toMatchObject({status: 'changed'});
    await vi.waitFor(() => expect(isReported).toBe(true), {timeout: 60_000});
    await client.close();
  });
});

function post(headers: Record<string, string>, query = '', body = '{}'): Promise<Response> {
  const init = {method: 'POST', headers: {'content-type': 'application/json', ...headers}, body};
  return fetch(`${server.url}/mcp${query}`, init);
}
