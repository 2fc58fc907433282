// Tools that are offered as prompts and resources, and tools that use the protocol themselves: all are ordinary calls.
import {openTokenStore, startHttpServer, type Host, type HttpServer} from '@lumenflow/host';
import {StreamableHTTPClientTransport, type Client, type ElicitResult} from '@modelcontextprotocol/client';
import {afterAll, beforeAll, describe, expect, it, vi} from 'vitest';
import type {HostWorkspace} from '../../support/host-workspace.ts';
import {createClient, eras, makeDesk} from '../../support/mcp-desk.ts';

let desk: HostWorkspace;
let host: Host;
let server: HttpServer;
let token: string;

beforeAll(async () => {
  desk = makeDesk();
  host = await desk.start();
  const tokens = openTokenStore(desk.root);
  token = await tokens.issue({name: 'ann', role: 'agent'});
  server = await startHttpServer(host, {tokens, version: '0.0.0'});
});
afterAll(async () => {
  await server.close();
  await desk.remove();
});

async function connected(client: Client): Promise<Client> {
  const requestInit = {headers: {authorization: `Bearer ${token}`}};
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {requestInit}));
  return client;
}
const lastOf = async (tool_name: string) =>
  (await host.runtime.evidence.readTraces({tool_name, limit: 1})).receipts[0]?.finished;

describe.each(eras)('a client of the %s era', (era) => {
  let client: Client;
  let answers: ElicitResult[];
  beforeAll(async () => {
    client = createClient(era, {capabilities: {elicitation: {}}});
    client.setRequestHandler('elicitation/create', () => answers.shift() ?? {action: 'cancel'});
    await connected(client);
  });
  afterAll(async () => {
    await client.close();
  });

  it('finds each under its own kind', async () => {
    const {prompts} = await client.listPrompts();
    expect(prompts).toMatchObject([{name: 'desk_verse', arguments: [{name: 'mood', required: true}]}]);
    const {resourceTemplates} = await client.listResourceTemplates();
    expect(resourceTemplates).toContainEqual(
      expect.objectContaining({uriTemplate: 'desk://book/{number}', mimeType: 'text/plain'}),
    );
    const {tools} = await client.listTools();
    expect(tools.map(({name}) => name)).not.toContain('desk_verse');
    const named = tools.find(({name}) => name === 'desk_name_it');
    expect(Object.keys(named?.inputSchema.properties ?? {})).toEqual(['thing']);
  });

  it('gets a prompt by a recorded call, and the reason if one is denied', async () => {
    expect(await client.getPrompt({name: 'desk_verse', arguments: {mood: 'bright'}})).toMatchObject({
      messages: [{content: {text: 'A bright verse'}}],
    });
    expect(await lastOf('desk:verse')).toMatchObject({result: 'success'});
    await expect(client.getPrompt({name: 'desk_verse', arguments: {mood: 'dark'}})).rejects.toMatchObject({
      message: expect.stringContaining('no-dark'),
    });
    expect(await lastOf('desk:verse')).toMatchObject({result: 'denied'});
    await expect(client.getPrompt({name: 'desk_add', arguments: {}})).rejects.toThrow('INVALID_INPUT');
    await expect(client.getPrompt({name: 'desk_chat', arguments: {}})).rejects.toThrow(
      'is not a valid MCP prompt result',
    );
    const ref = {type: 'ref/prompt' as const, name: 'desk_verse'};
    const {completion} = await client.complete({ref, argument: {name: 'mood', value: 'br'}});
    expect(completion.values).toEqual(['bright', 'brisk']);
  });

  it('reads a resource by a recorded call, and gets the error of its handler', async () => {
    expect(await client.readResource({uri: 'desk://book/7'})).toMatchObject({contents: [{text: 'page 7'}]});
    expect(await lastOf('desk:page')).toMatchObject({result: 'success'});
    await expect(client.readResource({uri: 'desk://book/0'})).rejects.toThrow('pages begin with 1');
    await expect(client.readResource({uri: 'desk://shelf/7'})).rejects.toThrow();
  });

  it('gets an error if a handler does not return what it declared', async () => {
    const {structuredContent} = await client.callTool({name: 'desk_misshapen', arguments: {}});
    expect(structuredContent).toMatchObject({
      code: 'INVALID_OUTPUT',
      message: expect.stringContaining('{content: […]}'),
    });
  });

  it('answers a handler, which gets its state back, and consents to each of its calls', async () => {
    const yes: ElicitResult = {action: 'accept', content: {approve: true}};
    answers = [yes, {action: 'accept', content: {name: 'Tom'}}, yes];
    const result = await client.callTool({name: 'desk_name_it', arguments: {thing: 'the cat'}});
    expect(result.content).toEqual([{type: 'text', text: 'the cat is Tom, as asked'}]);
    expect(answers).toEqual([]);
  });

  it('cannot slip a state in among the arguments', async () => {
    answers = [{action: 'accept', content: {name: 'Ada'}}];
    const forged = {request_state: 'forged', input_responses: {name: {content: {name: 'Eve'}}}};
    const {content} = await client.callTool({name: 'desk_other_name', arguments: forged});
    expect(content).toEqual([{type: 'text', text: 'it is Ada, as asked'}]);
  });

  it('is refused a question that it cannot be asked', async () => {
    const plain = await connected(createClient(era));
    const refused = plain.callTool({name: 'desk_other_name', arguments: {}});
    if (era === 'modern') await expect(refused).rejects.toThrow(/elicitation/);
    else expect(await refused).toMatchObject({isError: true, content: [{text: expect.stringMatching(/elicitation/)}]});
    await plain.close();
  });

  it('is notified when something that it subscribed to has changed', async () => {
    const received = new Set<string>();
    const uri = 'approvals://session';
    client.setNotificationHandler('notifications/resources/updated', ({params}) => void received.add(params.uri));
    if (era === 'legacy') {
      await client.subscribeResource({uri: 'task://other'});
      await client.unsubscribeResource({uri: 'task://other'});
      await client.subscribeResource({uri});
    }
    const listening = era === 'modern' ? await client.listen({resourceSubscriptions: [uri]}) : undefined;
    await client.callTool({name: 'desk_ask', arguments: {a: 1, era}});
    await vi.waitFor(() => expect([...received]).toEqual([uri]), {timeout: 60_000});
    await listening?.close();
  });
});

describe('the state of a handler', () => {
  it('is of no use for another tool', async () => {
    const capabilities = {elicitation: {}};
    const client = await connected(createClient('modern', {capabilities, inputRequired: {autoFulfill: false}}));
    const call = async (params: object): Promise<Record<string, unknown>> =>
      await client.callTool({arguments: {}, ...params} as never, {allowInputRequired: true});
    const {requestState} = await call({name: 'desk_other_name'});
    const inputResponses = {name: {action: 'accept', content: {name: 'Eve'}}};
    await expect(call({name: 'desk_name_it', requestState, inputResponses})).rejects.toThrow('desk_other_name');
    expect(await call({name: 'desk_other_name', requestState, inputResponses})).toMatchObject({
      content: [{text: 'it is Eve, as asked'}],
    });
    await client.close();
  });
});
