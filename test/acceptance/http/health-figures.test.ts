// What operators watch: metrics, counts by minute, and calls as they come.
import {afterEach, beforeEach, expect, test} from 'vitest';
import {openHttpStage, type HttpStage} from '../../support/http-stage.ts';

let http: HttpStage;
beforeEach(async () => {
  http = await openHttpStage({
    workspace: {
      policies: {
        default_decision: 'allow',
        rules: [
          {id: 'ask', trigger: 'on_tool_request', decision: 'approval_required', when: {tool: 'files:write'}},
          {id: 'no', trigger: 'on_tool_request', decision: 'deny', when: {arguments: {'/path': {equals: '.env'}}}},
        ],
      },
    },
  });
});
afterEach(() => http.close());

async function metrics(): Promise<string> {
  const response = await fetch(`${http.server.url}/metrics`, {
    headers: {authorization: `Bearer ${http.operator.token}`},
  });
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return await response.text();
}

test('calls are counted by tool, decision and result, each once, and names of no tool are one', async () => {
  await http.agent.post('/v1/tools/files:read', {input: {path: 'a'}});
  await metrics();
  await http.agent.post('/v1/tools/files:read', {input: {path: 'b'}});
  await http.agent.post('/v1/tools/files:read', {input: {path: '.env'}});
  await http.agent.post('/v1/tools/files:write', {input: {path: 'c'}});
  for (const name of ['no:one', 'no:two']) await http.agent.post(`/v1/tools/${name}`);
  const text = await metrics();
  for (const line of [
    'lumenflow_calls_total{tool="files:read",decision="allow",result="success"} 2',
    'lumenflow_calls_total{tool="files:read",decision="deny",result="denied"} 1',
    'lumenflow_calls_total{tool="files:write",decision="approval_required",result="denied"} 1',
    'lumenflow_calls_total{tool="unknown",decision="deny",result="denied"} 2',
    'lumenflow_call_duration_seconds_bucket{tool="files:read",le="+Inf"} 2',
    'lumenflow_call_duration_seconds_count{tool="files:read"} 2',
    'lumenflow_calls_open 0',
    'lumenflow_approvals_pending 1',
  ])
    expect(text.split('\n')).toContain(line);
  expect(text).not.toContain('no:one');
});

test('by minute: calls, denials, requests', async () => {
  await http.agent.post('/v1/tools/files:read', {input: {path: '.env'}});
  await http.agent.post('/v1/tools/files:write', {input: {path: 'c'}});
  const {body} = await http.operator.get('/v1/calls/minutes');
  const sum = (key: string): number =>
    body.minutes.reduce((total: number, minute: Record<string, number>) => total + (minute[key] ?? 0), 0);
  expect([sum('calls'), sum('denied'), sum('approval_required'), sum('failed')]).toEqual([2, 1, 1, 0]);
});

test('calls come live, those before the stream began do not', async () => {
  await http.agent.post('/v1/tools/files:read', {input: {path: 'before'}});
  const response = await fetch(`${http.server.url}/v1/calls/live`, {
    headers: {authorization: `Bearer ${http.operator.token}`},
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader?.read())?.value ?? '';
  expect(text).toBe('retry: 1000\n\n');
  // The stream subscribes when it is read on.
  const next = reader?.read();
  await new Promise((resolve) => setTimeout(resolve, 400));
  const called = await http.agent.post('/v1/tools/files:read', {input: {path: '.env'}});
  text += (await next)?.value ?? '';
  while (!text.includes('"finished"')) text += (await reader?.read())?.value ?? '';
  expect(text).toContain(called.body.metadata.receipt_id);
  expect(text.match(/event: call/g)?.length).toBeLessThanOrEqual(2);
  await reader?.cancel();
});

test('a request shows its input and what is decided about it now', async () => {
  const asked = await http.agent.post('/v1/tools/files:write', {input: {path: 'c'}});
  const path = `/v1/approvals/${asked.body.request_id}`;
  expect(await http.operator.get(path)).toMatchObject({
    status: 200,
    body: {state: 'pending', input: {path: 'c'}, explanation: {decision: 'approval_required'}},
  });
  expect(await http.operator.get('/v1/approvals/none')).toMatchObject({status: 404});
});

test('the runtime returns the caller, its lanes and its packs, without a sandbox that does not exist', async () => {
  expect((await http.agent.get('/v1/caller')).body).toEqual({name: 'ann', role: 'agent'});
  expect((await http.agent.get('/v1/lanes')).body.lanes[0]).toMatchObject({spec: {id: 'core'}, in_progress: 0});
  expect((await http.operator.get('/v1/packs')).body.packs[0].tools[0]).toHaveProperty('required_scopes');
  expect(await http.operator.get('/v1/sandbox')).toMatchObject({status: 404});
  expect((await http.operator.post('/v1/evidence/checkpoint', {})).status).toBe(200);
});

test('the policy of a lane: each tool with its decision, the rule that decides, and rules on its input', async () => {
  const {status, body} = await http.operator.get('/v1/policy/matrix?lane=core');
  expect(status).toBe(200);
  const tools = new Map((body as {tools: {tool_name: string}[]}).tools.map((cell) => [cell.tool_name, cell]));
  expect(tools.get('files:write')).toMatchObject({
    permission: 'write',
    decision: 'approval_required',
    deciding: {rule_id: 'ask', layer: 'workspace'},
    input_rules: ['no'],
  });
  expect(tools.get('files:read')).toMatchObject({decision: 'allow', input_rules: ['no']});
  expect(await http.operator.get('/v1/policy/matrix?lane=x')).toMatchObject({status: 404});
});

test('hits of rules: matched, decided, and those that never did', async () => {
  await http.agent.post('/v1/tools/files:write', {input: {path: '.env'}});
  await http.agent.post('/v1/tools/files:write', {input: {path: 'c'}});
  const all = (await http.operator.get('/v1/policy/rules')).body;
  expect(all).toMatchObject({
    calls: 2,
    is_complete: true,
    rules: expect.arrayContaining([
      expect.objectContaining({rule_id: 'ask', layer: 'workspace', matched: 2, decided: 1}),
      expect.objectContaining({rule_id: 'no', matched: 1, decided: 1}),
    ]),
  });
  const later = (await http.operator.get('/v1/policy/rules?since=2999-01-01T00:00:00.000Z')).body;
  expect(later).toMatchObject({calls: 0, rules: [{rule_id: 'ask', matched: 0, decided: 0}, {rule_id: 'no'}]});
});
