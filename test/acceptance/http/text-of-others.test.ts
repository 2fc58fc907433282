// What untrusted tools return, over a real socket: it is redacted for HTTP and for MCP, and taint follows the tasks that an agent creates.
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import type {PolicyRule} from '@lumenflow/schemas';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {examplePack} from '../../support/example-pack.ts';
import {openHttpStage, type HttpStage} from '../../support/http-stage.ts';
import {createClient} from '../../support/mcp-desk.ts';

const key = `AKIA${'B'.repeat(16)}`;
const redacted = '[redacted: no-keys]';
const rules: PolicyRule[] = [
  {id: 'no-keys', trigger: 'on_tool_result', decision: 'allow', redact: 'AKIA[0-9A-Z]{16}'},
  {id: 'withheld', trigger: 'on_tool_result', decision: 'deny', when: {output: {regex: 'PRIVATE KEY'}}},
  {id: 'no-mail', trigger: 'on_tool_request', decision: 'deny', when: {sink: ['external'], tainted: true}},
];
const pack = examplePack({
  id: 'desk',
  tools: [
    {name: 'web:fetch', source: 'untrusted', input_schema: {type: 'object'}},
    {name: 'mail:send', permission: 'write', sink: 'external', input_schema: {type: 'object'}},
  ],
});

let http: HttpStage;
beforeEach(async () => {
  http = await openHttpStage({
    packs: [pack],
    workspace: {policies: {default_decision: 'allow', rules}},
    scripts: {
      'web:fetch': async ({input, onProgress}) => {
        onProgress({progress: 1, message: `found ${key}`});
        const text = JSON.stringify(input).includes('private') ? 'BEGIN PRIVATE KEY' : `the key is ${key}`;
        return await Promise.resolve({output: {success: true, data: {text}}});
      },
    },
  });
});
afterEach(() => http.close());

test('a result is redacted or withheld over HTTP, in the answer and in the evidence', async () => {
  const called = await http.agent.post('/v1/tools/web:fetch', {input: {}});
  expect(called).toMatchObject({status: 200, body: {success: true, data: {text: `the key is ${redacted}`}}});
  const receipt = await http.operator.get(`/v1/evidence/${called.body.metadata.receipt_id}`);
  expect(receipt.body.finished.policy_decisions).toContainEqual(
    expect.objectContaining({rule_id: 'no-keys', redacted: 1}),
  );
  expect(JSON.stringify([called.body, receipt.body])).not.toContain(key);
  const withheld = await http.agent.post('/v1/tools/web:fetch', {input: {private: true}});
  expect(withheld.body.error).toMatchObject({code: 'POLICY_DENIED', details: {rule_id: 'withheld', ran: true}});
  expect(JSON.stringify(withheld.body)).not.toContain('BEGIN PRIVATE KEY');
});

test('results and progress are redacted over MCP', async () => {
  const client = createClient('modern');
  const headers = {authorization: `Bearer ${http.agent.token}`};
  await client.connect(new StreamableHTTPClientTransport(new URL(`${http.server.url}/mcp`), {requestInit: {headers}}));
  const progress: unknown[] = [];
  const onprogress = (report: unknown): void => void progress.push(report);
  const result = await client.callTool({name: 'web_fetch', arguments: {}}, {onprogress});
  expect(JSON.stringify(result)).toContain(redacted);
  expect(JSON.stringify(progress)).toContain(redacted);
  expect(JSON.stringify([result, progress])).not.toContain(key);
  await client.close();
});

test('an explanation over HTTP names the rules of results', async () => {
  const {body} = await http.agent.get('/v1/policy/explain?tool=web:fetch&lane=core');
  expect(body.on_result).toMatchObject([{rule_id: 'no-keys'}, {rule_id: 'withheld'}]);
});

test('a task that an agent creates inherits what its sessions read; one of an operator does not', async () => {
  const {task_id} = (await http.agent.post('/v1/sessions')).body;
  await http.agent.post('/v1/tools/web:fetch', {task_id, input: {}});
  expect(await http.agent.post('/v1/tasks', {id: 'next', lane_id: 'core', type: 'desk'})).toMatchObject({status: 201});
  await http.operator.post('/v1/tasks', {id: 'clean', lane_id: 'core', type: 'desk'});
  const send = async (task: string): Promise<string | undefined> => {
    expect((await http.otherAgent.post(`/v1/tasks/${task}/claim`)).status).toBe(200);
    return (await http.otherAgent.post('/v1/tools/mail:send', {task_id: task, input: {}})).body.error?.details?.rule_id;
  };
  expect(await send('next')).toBe('no-mail');
  expect(await send('clean')).toBeUndefined();
});
