// Which tools a client lists: what its lane offers, less what it asks for. Calls are decided by policy alone.
import {openTokenStore, startHttpServer, type HttpServer} from '@lumenflow/host';
import {StreamableHTTPClientTransport, type Client} from '@modelcontextprotocol/client';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {everything, type HostWorkspace} from '../../support/host-workspace.ts';
import {runForJson} from '../../support/lumenflow-program.ts';
import {connectDesk, createClient, eras, makeDesk, type Era} from '../../support/mcp-desk.ts';

const ofKernel = ['kernel_revert_changes', 'kernel_show_request', 'kernel_withdraw_request'];

let desk: HostWorkspace;
let server: HttpServer;
let token: string;

beforeAll(async () => {
  desk = makeDesk({
    spec: {
      lanes: [
        {id: 'core', allowed_scopes: everything, wip_limit: 50},
        {id: 'small', allowed_scopes: everything, wip_limit: 50, offers: ['desk:a*', 'desk:note']},
      ],
    },
  });
  const tokens = openTokenStore(desk.root);
  token = await tokens.issue({name: 'ann', role: 'agent'});
  server = await startHttpServer(await desk.start(), {tokens, version: '0.0.0'});
});
afterAll(async () => {
  await server.close();
  await desk.remove();
});

async function connect(era: Era, query: string): Promise<Client> {
  const client = createClient(era);
  const requestInit = {headers: {authorization: `Bearer ${token}`}};
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp${query}`), {requestInit}));
  return client;
}
const namesOf = async (client: Client) => (await client.listTools()).tools.map(({name}) => name);

describe.each(eras)('a client of the %s era', (era) => {
  it('lists what its lane offers', async () => {
    const client = await connect(era, '?lane=small');
    expect(await namesOf(client)).toEqual([
      'desk_add',
      'desk_agree',
      'desk_argued',
      'desk_ask',
      'desk_note',
      ...ofKernel,
    ]);
    await client.close();
  });

  it('lists what it asks for, and can still call the rest', async () => {
    const client = await connect(era, '?lane=small&tools=desk:add,desk:wait');
    expect(await namesOf(client)).toEqual(['desk_add', ...ofKernel]);
    expect(await client.callTool({name: 'desk_argued', arguments: {}})).toMatchObject({structuredContent: {sum: 0}});
    await client.close();
  });

  it('does not get a tool that only operators and schedulers call, and can name it', async () => {
    const client = await connect(era, '');
    expect(await namesOf(client)).not.toContain('desk_sweep');
    expect(await client.callTool({name: 'desk_sweep', arguments: {}})).toMatchObject({structuredContent: {sum: 0}});
    await client.close();
  });
});

it('patterns that match no tool are rejected, over HTTP and on stdio', async () => {
  const refused = await fetch(`${server.url}/mcp?tools=file:*`, {
    method: 'POST',
    headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
    body: '{}',
  });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({error: {message: expect.stringContaining('`file:*` matches no tool')}});
  const {client} = await connectDesk(desk.root, createClient('legacy'), ['--tools', 'desk:ad']);
  expect((await client.listTools()).tools).toMatchObject([
    {name: 'lumenflow_status', description: expect.stringContaining('`desk:ad` matches no tool')},
  ]);
  expect(await client.callTool({name: 'lumenflow_status', arguments: {}})).toMatchObject({
    isError: true,
    structuredContent: {code: 'INVALID_ARGUMENT', remedy: expect.stringContaining('did you mean `desk:add`?')},
  });
  expect(await client.callTool({name: 'desk_add', arguments: {a: 1, b: 2}})).toMatchObject({
    structuredContent: {sum: 3},
  });
  await client.close();
});

it('a client on stdio names its tools on the command line', async () => {
  const {client} = await connectDesk(desk.root, createClient('legacy'), ['--as', 'ann', '--tools', 'desk_a*']);
  expect(await namesOf(client)).toEqual(['desk_add', 'desk_agree', 'desk_argued', 'desk_ask', ...ofKernel]);
  expect(await client.callTool({name: 'lumenflow_status', arguments: {}})).toMatchObject({
    content: [{text: expect.stringContaining('7 tools')}],
  });
  await client.close();
});

it('`tools list` tells denied tools from those that are not listed', async () => {
  const {document} = await runForJson(['tools', 'list', '--lane', 'small', '--all'], {cwd: desk.root});
  const {tools} = document as unknown as {
    readonly tools: readonly {readonly name: string; readonly decision: string}[];
  };
  const decisionOf = (name: string) => tools.find((tool) => tool.name === name)?.decision;
  expect([decisionOf('desk:add'), decisionOf('desk:wait'), decisionOf('desk:sweep')]).toEqual([
    'allow',
    'unlisted',
    'unlisted',
  ]);
});
