// The lifetime of a client's session over HTTP, and several clients at once.
import {openTokenStore, startHttpServer, type Host, type HttpServer, type TokenStore} from '@lumenflow/host';
import {StreamableHTTPClientTransport, type Client} from '@modelcontextprotocol/client';
import {existsSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it, vi} from 'vitest';
import {everything, type HostWorkspace} from '../../support/host-workspace.ts';
import {createClient, eras, makeDesk} from '../../support/mcp-desk.ts';

let desk: HostWorkspace;
let host: Host;
let server: HttpServer;
let tokens: TokenStore;

beforeAll(async () => {
  desk = makeDesk({spec: {lanes: [{id: 'core', allowed_scopes: everything, wip_limit: 6}]}});
  host = await desk.start();
  tokens = openTokenStore(desk.root);
  server = await startHttpServer(host, {tokens, version: '0.0.0', sessionIdleMs: 200});
});
afterAll(async () => {
  await server.close();
  await desk.remove();
});

const headersOf = (token: string) => ({authorization: `Bearer ${token}`});
async function connect(name: string, client: Client = createClient('modern')): Promise<Client> {
  const token = await tokens.issue({name, role: 'agent'});
  const requestInit = {headers: headersOf(token)};
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {requestInit}));
  return client;
}
const tasksOf = (by: string) => host.runtime.listTasks({state: 'active'}).filter(({run}) => run?.by === by);
const patient = {timeout: 20_000};

describe('an idle session', () => {
  it.each(eras)('releases its place, and a client of the %s era continues in another one', async (era) => {
    const name = `idle-${era}`;
    const client = await connect(name, createClient(era));
    await client.callTool({name: 'desk_add', arguments: {}});
    await vi.waitFor(() => expect(tasksOf(name)).toEqual([]), patient);
    expect(await client.callTool({name: 'desk_add', arguments: {a: 1, b: 1}})).toMatchObject({
      structuredContent: {sum: 2},
    });
    await client.close();
    await vi.waitFor(() => expect(tasksOf(name)).toEqual([]), patient);
  });

  it('stays while a person is to answer', async () => {
    const waiting = await connect('waits');
    const pending = await waiting.callTool({name: 'desk_ask', arguments: {a: 1}});
    const {details} = pending.structuredContent as {details: {request_id: string}};
    const other = await connect('goes');
    await other.listTools();
    // Both are checked in turn, the waiting one first.
    await vi.waitFor(() => expect(tasksOf('goes')).toEqual([]), patient);
    expect(tasksOf('waits')).toHaveLength(1);
    await host.runtime.resolveApproval({request_id: details.request_id, approved: false, approved_by: 'olga'});
    await vi.waitFor(() => expect(tasksOf('waits')).toEqual([]), patient);
    await Promise.all([waiting.close(), other.close()]);
  });
});

describe("a client's end", () => {
  const params = {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'raw', version: '1'}};
  /** A client of one caller that sends given requests. */
  const rawClient = async (name: string) => {
    const headers = {
      ...headersOf(await tokens.issue({name, role: 'agent'})),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const send = (method: string, message: object | undefined, more: Record<string, string> = {}) =>
      fetch(`${server.url}/mcp`, {
        method,
        headers: {...headers, ...more},
        ...(message && {body: JSON.stringify({jsonrpc: '2.0', ...message})}),
      });
    const begin = async () => {
      const begun = await send('POST', {id: 1, method: 'initialize', params});
      await begun.text();
      return {'mcp-session-id': begun.headers.get('mcp-session-id') ?? ''};
    };
    return {send, begin};
  };

  it('cancels its calls immediately, and its session id becomes unknown', async () => {
    rmSync(join(desk.root, 'notes'), {recursive: true, force: true});
    const {send, begin} = await rawClient('raw');
    const session = await begin();
    await send('POST', {method: 'notifications/initialized'}, session);
    const wait = {id: 2, method: 'tools/call', params: {name: 'desk_wait', arguments: {}}};
    await send('POST', wait, session);
    await vi.waitFor(() => expect(existsSync(join(desk.root, 'notes/waits'))).toBe(true), patient);
    expect((await send('DELETE', undefined, session)).status).toBe(200);
    await vi.waitFor(async () => {
      const {receipts} = await host.runtime.evidence.readTraces({tool_name: 'desk:wait', limit: 1});
      expect(receipts[0]?.finished).toMatchObject({error_code: 'TOOL_CANCELLED'});
    }, patient);
    expect((await send('POST', wait, session)).status).toBe(404);
    expect((await send('POST', {id: 3, method: 'tools/list'})).status).toBe(400);
  });

  it('is forced on the session that was idle longest when there are too many', async () => {
    const {send, begin} = await rawClient('many');
    const list = {id: 2, method: 'tools/list'};
    const [first, second] = [await begin(), await begin()];
    expect((await send('POST', list, first)).status).toBe(200);
    for (let more = 0; more < 63; more += 1) await begin();
    expect((await send('POST', list, second)).status).toBe(404);
    expect((await send('POST', list, first)).status).toBe(200);
  });
});

describe('two agents and an operator', () => {
  it('allow each call once, for its requester', async () => {
    const clients = await Promise.all(['ann', 'ben'].map((name) => connect(name)));
    const operator = host.runtime.events.subscribe({types: ['approval_requested']}, (event) => {
      if (event.type !== 'approval_requested' || event.actor === 'waits') return;
      const {request_id} = event;
      void host.runtime.resolveApproval({request_id, approved: true, approved_by: 'olga'});
    });
    const sums = await Promise.all(
      clients.map(async (client, a) => {
        await client.callTool({name: 'desk_ask', arguments: {a, b: 40}});
        return await vi.waitFor(async () => {
          const {structuredContent} = await client.callTool({name: 'desk_ask', arguments: {a, b: 40}});
          expect(structuredContent).toHaveProperty('sum');
          return structuredContent;
        }, patient);
      }),
    );
    expect(sums).toEqual([{sum: 40}, {sum: 41}]);
    const {receipts} = await host.runtime.evidence.readTraces({tool_name: 'desk:ask', result: 'success'});
    expect(receipts).toHaveLength(2);
    operator();
    await Promise.all(clients.map((client) => client.close()));
  });
});
