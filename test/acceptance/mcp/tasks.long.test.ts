// Calls as tasks, of the protocol version 2025-11-25: they return immediately, wait for people, and outlive a connection.
import {openTokenStore, startHttpServer, type Host, type HttpServer} from '@lumenflow/host';
import {specTypeSchemas, StreamableHTTPClientTransport, type Client} from '@modelcontextprotocol/client';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, it, vi} from 'vitest';
import type {HostWorkspace} from '../../support/host-workspace.ts';
import {createClient, makeDesk} from '../../support/mcp-desk.ts';

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

const patient = {timeout: 20_000};

async function connect(): Promise<Client> {
  const client = createClient('legacy');
  const requestInit = {headers: {authorization: `Bearer ${token}`}};
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {requestInit}));
  return client;
}
const start = async (client: Client, name: string, args: object): Promise<string> => {
  const params = {name, arguments: {...args}, task: {ttl: 60_000}};
  return (await client.request({method: 'tools/call', params}, specTypeSchemas.CreateTaskResult)).task.taskId;
};
const get = async (client: Client, taskId: string) =>
  await client.request({method: 'tasks/get', params: {taskId}}, specTypeSchemas.GetTaskResult);
const resultOf = async (client: Client, taskId: string) =>
  await client.request({method: 'tasks/result', params: {taskId}}, specTypeSchemas.CallToolResult);

it('a task ends with the result of its call', async () => {
  const client = await connect();
  expect(client.getServerCapabilities()?.tasks).toMatchObject({requests: {tools: {call: {}}}});
  expect((await client.listTools()).tools[0]).toMatchObject({execution: {taskSupport: 'optional'}});
  const taskId = await start(client, 'desk_add', {a: 2, b: 3});
  expect(await resultOf(client, taskId)).toMatchObject({
    structuredContent: {sum: 5},
    _meta: {'io.modelcontextprotocol/related-task': {taskId}},
  });
  expect(await get(client, taskId)).toMatchObject({taskId, status: 'completed'});
  const {tasks} = await client.request({method: 'tasks/list'}, specTypeSchemas.ListTasksResult);
  expect(tasks.map((task) => task.taskId)).toContain(taskId);
  const failing = await start(client, 'desk_forbidden', {});
  expect(await resultOf(client, failing)).toMatchObject({isError: true, structuredContent: {code: 'POLICY_DENIED'}});
  expect(await get(client, failing)).toMatchObject({status: 'failed'});
  await expect(get(client, 'none')).rejects.toMatchObject({code: -32602});
  await client.close();
});

it('a task waits for a person, and a client that reconnects gets its result', async () => {
  const first = await connect();
  const taskId = await start(first, 'desk_ask', {a: 4, b: 4});
  await vi.waitFor(async () => {
    const {status, statusMessage} = await get(first, taskId);
    expect([status, statusMessage]).toEqual(['working', expect.stringContaining('lumenflow approvals approve')]);
  }, patient);
  await first.close();
  const [pending] = host.runtime.listApprovals().filter(({state}) => state === 'pending');
  await host.runtime.resolveApproval({
    request_id: pending?.request_id ?? '',
    approved: true,
    approved_by: 'olga',
  });
  const second = await connect();
  expect(await resultOf(second, taskId)).toMatchObject({structuredContent: {sum: 8}});
  await second.close();
});

it('a result is not returned after its output was redacted, and others are', async () => {
  const client = await connect();
  const redacted = await start(client, 'desk_add', {a: 40, b: 2});
  expect(await resultOf(client, redacted)).toMatchObject({structuredContent: {sum: 42}});
  const {receipts} = await host.runtime.evidence.readTraces({limit: 1});
  const other = await start(client, 'desk_add', {a: 1, b: 2});
  expect(await resultOf(client, other)).toMatchObject({structuredContent: {sum: 3}});
  const receipt_id = receipts[0]?.receipt_id ?? '';
  const uri = `evidence://output/${receipt_id}`;
  expect((await client.readResource({uri})).contents).toMatchObject([{text: '{"sum":42}'}]);
  await host.runtime.evidence.redact({receipt_id}, {by: 'olga', reason: 'personal data'});
  await expect(resultOf(client, redacted)).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('redacted'),
  });
  await expect(client.readResource({uri})).rejects.toMatchObject({message: `Resource not found: ${uri}`});
  expect(await resultOf(client, other)).toMatchObject({structuredContent: {sum: 3}});
  await client.close();
});

it('a cancelled task cancels its call, or withdraws its request', async () => {
  const client = await connect();
  const running = await start(client, 'desk_wait', {});
  await vi.waitFor(() => expect(existsSync(join(desk.root, 'notes/waits'))).toBe(true), patient);
  const cancel = async (taskId: string) =>
    await client.request({method: 'tasks/cancel', params: {taskId}}, specTypeSchemas.CancelTaskResult);
  expect(await cancel(running)).toMatchObject({status: 'cancelled'});
  expect(await resultOf(client, running)).toMatchObject({structuredContent: {code: 'TOOL_CANCELLED'}});
  await expect(cancel(running)).rejects.toMatchObject({code: -32602});
  const waiting = await start(client, 'desk_ask', {a: 9});
  await vi.waitFor(async () => expect((await get(client, waiting)).statusMessage).toContain('approval'), patient);
  await cancel(waiting);
  await resultOf(client, waiting);
  expect(host.runtime.listApprovals().at(-1)).toMatchObject({state: 'withdrawn'});
  expect(await get(client, waiting)).toMatchObject({status: 'cancelled'});
  await client.close();
});
