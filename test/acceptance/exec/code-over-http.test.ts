// Code over HTTP, in a session of the request or of the client.
import {openTokenStore, startHttpServer, type HttpServer, type LocalHandlers} from '@lumenflow/host';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';

const handlers: LocalHandlers = {'orders:find': {permission: 'read', run: ({id}: {readonly id: string}) => ({id})}};
let workspace: HostWorkspace;
let server: HttpServer;
let token: string;
beforeAll(async () => {
  workspace = makeHostWorkspace();
  const tokens = openTokenStore(workspace.root);
  token = await tokens.issue({name: 'ann', role: 'agent'});
  const host = await workspace.start({handlers, warmSandboxes: false});
  server = await startHttpServer(host, {tokens, version: '0.0.0'});
});
afterAll(async () => {
  await server.close();
  await workspace.remove();
});

async function post(body: object): Promise<{readonly status: number; readonly body: unknown}> {
  const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'};
  const reply = await fetch(`${server.url}/v1/exec/code`, {method: 'POST', headers, body: JSON.stringify(body)});
  return {status: reply.status, body: await reply.json()};
}

const language = 'javascript';

it('runs it, and replies with its report', async () => {
  expect(await post({language, code: `return await tools.orders.find({id: 'A-1'});`})).toMatchObject({
    status: 200,
    body: {
      value: {id: 'A-1'},
      calls: [{tool_id: 'orders:find', status: 'succeeded'}],
      receipt_id: expect.stringContaining('rcp-') as string,
      session_id: expect.any(String) as string,
    },
  });
});

it('replies with the status of its failure', async () => {
  const status = async (body: object): Promise<number> => (await post(body)).status;
  expect(await status({language, code: 'throw 1;'})).toBe(422);
  expect(await status({language, code: 'for (;;);', limits: {wall_time_ms: 50}})).toBe(504);
  expect(await status({language, code: 'let let;'})).toBe(400);
  expect(await status({language, code: '1', limits: {tool_calls: 9_999}})).toBe(400);
  expect(await status({language: 'cobol', code: '1'})).toBe(400);
  expect(await status({language: 'python', code: '1', runs_in: 'quickjs'})).toBe(400);
});
