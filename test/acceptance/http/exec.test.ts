// The exec facade over HTTP: tools found, described, run and chained, each call decided and recorded.
import {afterAll, beforeAll, expect, test} from 'vitest';
import {openHttpStage, type HttpStage} from '../../support/http-stage.ts';

let http: HttpStage;
beforeAll(async () => {
  http = await openHttpStage({
    workspace: {
      policies: {
        default_decision: 'allow',
        rules: [
          {
            id: 'no-secrets',
            trigger: 'on_tool_request',
            decision: 'deny',
            when: {arguments: {'/path': {equals: '.env'}}},
          },
          {
            id: 'ask-writes',
            trigger: 'on_tool_request',
            decision: 'approval_required',
            when: {tool: 'files:write', arguments: {'/path': {glob: 'ask/*'}}},
          },
        ],
      },
    },
  });
});
afterAll(() => http.close());

test('tools are found and described, in a lane or a task', async () => {
  const found = await http.agent.get('/v1/exec/search?query=read+files&limit=5');
  expect(found.body.tools).toContainEqual(expect.objectContaining({id: 'files:read', policy: 'allowed'}));
  expect((await http.agent.get('/v1/exec/tools/files:read?level=full')).body).toMatchObject({
    id: 'files:read',
    examples: [],
  });
  expect(await http.agent.get('/v1/exec/tools/files:raed')).toMatchObject({
    status: 404,
    body: {error: {code: 'TOOL_NOT_FOUND', details: {nearest: 'files:read'}}},
  });
  const {body} = await http.agent.get('/v1/exec/namespaces?lane=core');
  expect(body.namespaces).toContainEqual({namespace: 'files', tools: expect.any(Number) as number});
  const session = (await http.agent.post('/v1/sessions', {})).body;
  expect((await http.agent.get(`/v1/exec/search?query=read&task_id=${session.task_id}`)).status).toBe(200);
  expect((await http.otherAgent.get(`/v1/exec/search?query=read&task_id=${session.task_id}`)).status).toBe(403);
  expect((await http.agent.get('/v1/exec/search?query=read&lane=none')).status).toBe(404);
});

test('a tool runs in its own task, or in that of a session', async () => {
  const own = await http.agent.post('/v1/exec/run', {tool: 'files:read', args: {path: 'a'}});
  expect(own).toMatchObject({status: 200, body: {value: {path: 'a'}, tool_id: 'files:read'}});
  const {body} = await http.agent.get(`/v1/evidence/${own.body.receipt_id}`);
  expect(body).toMatchObject({started: {by: 'ann', surface: 'http', task_id: own.body.task_id}});
  const {task_id} = (await http.agent.post('/v1/sessions', {})).body;
  const inTask = await http.agent.post('/v1/exec/run', {tool: 'files:read', args: {path: 'a'}, task_id});
  expect(inTask.body).not.toHaveProperty('task_id');
  expect((await http.otherAgent.post('/v1/exec/run', {tool: 'files:read', task_id})).status).toBe(403);
  expect(await http.agent.post('/v1/exec/run', {tool: 'files:read', args: {path: '.env'}})).toMatchObject({
    status: 403,
    body: {value: null, error: {code: 'POLICY_DENIED'}, receipt_id: expect.stringContaining('rcp-') as string},
  });
});

test('a chain runs in one task, which waits where a step needs approval', async () => {
  const steps = [
    {tool: 'files:read', args: {path: 'a'}, as: 'first'},
    {tool: 'files:read', args: {path: {$from: '/first/path'}}},
  ];
  expect(await http.agent.post('/v1/exec/chain', {steps})).toMatchObject({
    status: 200,
    body: {value: {path: 'a'}, steps: [{status: 'succeeded'}, {status: 'succeeded'}]},
  });
  const asking = await http.agent.post('/v1/exec/chain', {
    steps: [...steps, {tool: 'files:write', args: {path: 'ask/a'}}],
  });
  expect(asking).toMatchObject({
    status: 202,
    body: {
      error: {code: 'APPROVAL_REQUIRED'},
      request_id: expect.any(String) as string,
      steps: [{}, {}, {status: 'failed'}],
    },
  });
  expect(http.runtime.listTasks().find(({task_id}) => task_id === asking.body.task_id)?.state).toBe('active');
  expect(await http.agent.post('/v1/exec/chain', {steps: [{tool: 'files:raed'}]})).toMatchObject({
    status: 400,
    body: {error: {code: 'INVALID_INPUT'}, steps: []},
  });
});
