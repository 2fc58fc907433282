// Calling tools over HTTP: listed, explained, called, approved, recorded.
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {openHttpStage, type Answer, type HttpStage} from '../../support/http-stage.ts';

let http: HttpStage;
beforeEach(async () => {
  http = await openHttpStage({
    workspace: {
      policies: {
        default_decision: 'allow',
        rules: [
          {
            id: 'ask-writes',
            trigger: 'on_tool_request',
            decision: 'approval_required',
            when: {tool: 'files:write', arguments: {'/path': {glob: 'ask/*'}}},
          },
          {
            id: 'no-secrets',
            trigger: 'on_tool_request',
            decision: 'deny',
            reason: 'secrets stay secret',
            when: {arguments: {'/path': {equals: '.env'}}},
          },
          {id: 'by-robots', trigger: 'on_tool_request', decision: 'deny', when: {metadata: {'/robot': {equals: true}}}},
        ],
      },
    },
  });
});
afterEach(() => http.close());

function stateOf(taskId: string): string | undefined {
  return http.runtime.listTasks().find(({task_id}) => task_id === taskId)?.state;
}

test('a call without ids runs in its own task, which is done after it', async () => {
  const called = await http.agent.post('/v1/tools/files:read', {input: {path: 'a'}});
  expect(called).toMatchObject({
    status: 200,
    body: {success: true, data: {path: 'a'}, metadata: {receipt_id: expect.stringMatching(/^rcp-/)}},
  });
  expect(stateOf(called.body.task_id)).toBe('done');
  expect(await http.agent.get(`/v1/evidence/${called.body.metadata.receipt_id}`)).toMatchObject({
    status: 200,
    body: {started: {tool_name: 'files:read', task_id: called.body.task_id}, finished: {result: 'success'}},
  });
});

test('each record names the caller and the surface', async () => {
  await http.agent.post('/v1/tools/files:read', {input: {path: 'a'}});
  const {task_id} = (await http.otherAgent.post('/v1/sessions')).body;
  await http.otherAgent.post('/v1/tools/files:read', {task_id});
  await http.otherAgent.post('/v1/tools/files:none', {task_id});
  const byBen = (await http.operator.get('/v1/evidence?by=ben')).body.receipts;
  expect(byBen).toMatchObject([
    {started: {tool_name: 'files:none', by: 'ben', surface: 'http'}},
    {started: {tool_name: 'files:read', by: 'ben', surface: 'http'}},
  ]);
  expect((await http.operator.get('/v1/evidence?by=ann')).body.receipts).toHaveLength(1);
});

test('a call in a session runs in its task', async () => {
  const {body: session} = await http.agent.post('/v1/sessions');
  const {task_id, run_id, session_id} = session;
  for (const ids of [{task_id}, {task_id, run_id, session_id}]) {
    expect(await http.agent.post('/v1/tools/files:read', {...ids, input: {}})).toMatchObject({status: 200});
  }
  expect(http.runtime.dispatcher.requests.map((request) => request.run_id)).toEqual([run_id, run_id]);
  expect(stateOf(task_id)).toBe('active');
});

test('a call that names its session alone runs in what the session claimed last', async () => {
  const {task_id, session_id} = (await http.agent.post('/v1/sessions')).body;
  const call = (): Promise<Answer> => http.agent.post('/v1/tools/files:read', {session_id, input: {}});
  expect(await call()).toMatchObject({status: 200});
  await http.runtime.createTask({id: 'unit', lane_id: 'core'});
  const {by} = http.runtime.listTasks()[0]?.run ?? {by: ''};
  await http.runtime.claimTask({task_id: 'unit', by, session_id});
  expect(await call()).toMatchObject({status: 200});
  await http.runtime.completeTask({task_id: 'unit', by, session_id});
  expect(await call()).toMatchObject({status: 200});
  expect(http.runtime.dispatcher.requests.map((request) => request.task_id)).toEqual([task_id, 'unit', task_id]);
  const stranger = await http.agent.post('/v1/tools/files:read', {session_id: 'nobody', input: {}});
  expect(stranger).toMatchObject({status: 409, body: {error: {code: 'TASK_NOT_ACTIVE'}}});
  expect(await http.agent.post('/v1/tools/files:read', {session_id, lane: 'core'})).toMatchObject({status: 400});
});

describe('a call that is not allowed is reported and recorded', () => {
  test.each([
    ['policy', 'files:write', {input: {path: '.env'}}, 403, 'POLICY_DENIED'],
    ['metadata', 'files:read', {execution_metadata: {robot: true}}, 403, 'POLICY_DENIED'],
    ['no such tool', 'files:erase', {}, 404, 'TOOL_NOT_FOUND'],
    ['input', 'files:write', {input: {path: 5}}, 400, 'INVALID_INPUT'],
    ['no such task', 'files:read', {task_id: 'none'}, 409, 'TASK_NOT_ACTIVE'],
    ['a wrong run', 'files:read', {task_id: 'mine', run_id: 'run-other'}, 409, 'TASK_NOT_ACTIVE'],
    ['a wrong session', 'files:read', {task_id: 'mine', session_id: 'other'}, 409, 'TASK_NOT_ACTIVE'],
  ])('%s', async (...[, tool, body, status, code]) => {
    await http.agent.post('/v1/tasks', {id: 'mine', lane_id: 'core'});
    await http.agent.post('/v1/tasks/mine/claim');
    const called = await http.agent.post(`/v1/tools/${tool}`, body);
    expect(called).toMatchObject({status, body: {success: false, error: {code}}});
    expect(http.runtime.dispatcher.requests).toEqual([]);
    const receipt = await http.runtime.evidence.receipt(called.body.metadata.receipt_id);
    expect(receipt?.finished).toMatchObject({
      result: code === 'INVALID_INPUT' ? 'invalid' : 'denied',
      error_code: code,
    });
  });

  test.each([
    ['a run without its task', {run_id: 'run-1'}],
    ['a lane and a task', {lane: 'core', task_id: 't'}],
    ['another key', {inputs: {}}],
    ['metadata that is no object', {execution_metadata: 'x'}],
    ['a forged step of a program', {execution_metadata: {program_step: '/steps/0'}}],
    ['a forged call of an agent', {execution_metadata: {agent_tool_call_id: 'call-0-0'}}],
  ])('but %s is no call yet', async (_, body) => {
    expect(await http.agent.post('/v1/tools/files:read', body)).toMatchObject({
      status: 400,
      body: {error: {code: 'INVALID_INPUT'}},
    });
    expect((await http.runtime.evidence.readTraces()).receipts).toEqual([]);
  });
});

describe('approvals', () => {
  const body = {input: {path: 'ask/me'}};
  let asked: Answer;
  let again: object;
  beforeEach(async () => {
    asked = await http.agent.post('/v1/tools/files:write', body);
    const {task_id, run_id, session_id} = asked.body;
    again = {...body, task_id, run_id, session_id};
  });

  test('a call waits, an operator approves, the very call passes once', async () => {
    expect(asked).toMatchObject({
      status: 202,
      body: {error: {code: 'APPROVAL_REQUIRED'}, request_id: expect.any(String)},
    });
    const {request_id, task_id} = asked.body;
    expect(stateOf(task_id)).toBe('active');
    expect((await http.operator.get('/v1/approvals?state=pending')).body.approvals).toMatchObject([
      {request_id, requested_by: 'ann', subject: {tool_name: 'files:write'}},
    ]);
    expect(await http.operator.post(`/v1/approvals/${request_id}`, {approved: true, reason: 'fine'})).toMatchObject({
      status: 200,
      body: {state: 'approved', resolved_by: 'olga', reason: 'fine'},
    });
    expect(await http.agent.post('/v1/tools/files:write', again)).toMatchObject({status: 200, body: {success: true}});
    expect(await http.agent.post('/v1/tools/files:write', again)).toMatchObject({status: 202});
  });

  test('a request without an answer is reported as expired after its time, and no longer as pending', async () => {
    const {request_id} = asked.body;
    http.stage.clock.move(8 * 24 * 60 * 60 * 1_000);
    const list = async (state: string): Promise<unknown> =>
      (await http.operator.get(`/v1/approvals?state=${state}`)).body.approvals;
    expect(await list('expired')).toMatchObject([{request_id, state: 'expired'}]);
    expect(await list('pending')).toEqual([]);
    expect(await http.operator.get(`/v1/approvals/${request_id}`)).toMatchObject({body: {state: 'expired'}});
  });

  test('of two operators at once, one answers', async () => {
    const path = `/v1/approvals/${asked.body.request_id}`;
    const answers = await Promise.all([
      http.operator.post(path, {approved: true}),
      http.otherOperator.post(path, {approved: false}),
    ]);
    expect(answers.map(({status}) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(answers.find(({status}) => status === 409)?.body.error.code).toBe('APPROVAL_RESOLVED');
  });

  test('a rejected call stays refused, with the reason', async () => {
    await http.operator.post(`/v1/approvals/${asked.body.request_id}`, {approved: false, reason: 'no'});
    const refused = await http.agent.post('/v1/tools/files:write', again);
    expect(refused).toMatchObject({
      status: 403,
      body: {error: {code: 'POLICY_DENIED', message: expect.stringContaining('no')}},
    });
  });

  test('an agent cannot answer, and sees only what it asked for', async () => {
    const {request_id} = asked.body;
    expect(await http.agent.post(`/v1/approvals/${request_id}`, {approved: true})).toMatchObject({
      status: 403,
      body: {error: {code: 'ROLE_DENIED'}},
    });
    expect((await http.agent.get('/v1/approvals')).body.approvals).toHaveLength(1);
    expect((await http.otherAgent.get('/v1/approvals')).body.approvals).toEqual([]);
  });

  test('the requester withdraws, and a later answer is refused with the reason', async () => {
    const path = `/v1/approvals/${asked.body.request_id}`;
    expect(await http.otherAgent.post(`${path}/withdraw`, {})).toMatchObject({
      status: 403,
      body: {error: {code: 'APPROVAL_OF_ANOTHER'}},
    });
    expect(await http.agent.post(`${path}/withdraw`, {reason: 'a typo'})).toMatchObject({
      status: 200,
      body: {state: 'withdrawn', withdrawn_by: 'ann', withdrawn_reason: 'a typo'},
    });
    expect(await http.operator.post(path, {approved: true})).toMatchObject({
      status: 409,
      body: {error: {code: 'APPROVAL_WITHDRAWN', message: expect.stringContaining('a typo')}},
    });
    expect((await http.operator.get('/v1/approvals?state=pending')).body.approvals).toEqual([]);
    expect((await http.operator.get('/v1/approvals?state=withdrawn')).body.approvals).toHaveLength(1);
    expect(await http.agent.post(`${path}/withdraw`, {})).toMatchObject({status: 409});
    expect(await http.agent.post('/v1/approvals/none/withdraw', {})).toMatchObject({status: 404});
  });

  test('an operator cannot answer what it asked for', async () => {
    const own = await http.operator.post('/v1/tools/files:write', body);
    const path = `/v1/approvals/${own.body.request_id}`;
    expect(await http.operator.post(path, {approved: true})).toMatchObject({
      status: 403,
      body: {error: {code: 'SELF_APPROVAL'}},
    });
    expect(await http.admin.post(path, {approved: true})).toMatchObject({status: 200});
  });

  test('what is not there, what does not fit, and what came too late', async () => {
    const path = `/v1/approvals/${asked.body.request_id}`;
    expect(await http.operator.post('/v1/approvals/none', {approved: true})).toMatchObject({status: 404});
    expect(await http.operator.post(path, {approved: 'yes'})).toMatchObject({status: 400});
    expect(await http.operator.post(path)).toMatchObject({status: 400});
    expect((await http.operator.post(path, {})).body.error.message).toBe('the body is invalid: `approved` is missing');
    http.stage.clock.move(8 * 24 * 60 * 60 * 1_000);
    expect(await http.operator.post(path, {approved: true})).toMatchObject({
      status: 409,
      body: {error: {code: 'APPROVAL_EXPIRED'}},
    });
    expect((await http.operator.get('/v1/approvals?state=expired')).body.approvals).toHaveLength(1);
  });
});

describe('tools and explanations', () => {
  test('a session lists the tools that policy shows it; operators see all tools', async () => {
    const {task_id} = (await http.agent.post('/v1/sessions')).body;
    const {body} = await http.agent.get(`/v1/tools?task_id=${task_id}`);
    expect(body.tools).toMatchObject([
      {name: 'files:read', pack_id: 'files', decision: 'allow', granted_scopes: {read: ['**']}},
      {name: 'files:write', permission: 'write', input_schema: {type: 'object'}},
      {name: 'kernel:revert-changes', pack_id: 'kernel', permission: 'write'},
      {name: 'kernel:show-request', permission: 'read'},
      {name: 'kernel:withdraw-request', permission: 'write'},
    ]);
    const all = (await http.operator.get('/v1/tools')).body.tools as readonly {readonly name: string}[];
    expect(all.map(({name}) => name)).toEqual(expect.arrayContaining(['files:read', 'files:write']));
    expect((await http.operator.get(`/v1/tools?task_id=${task_id}`)).body).toEqual(body);
    expect((await http.agent.get('/v1/tools?lane=core')).body).toEqual(body);
    expect(await http.agent.get('/v1/tools?lane=nowhere')).toMatchObject({
      status: 404,
      body: {error: {code: 'LANE_NOT_FOUND'}},
    });
    expect(await http.agent.get(`/v1/tools?lane=core&task_id=${task_id}`)).toMatchObject({status: 400});
    expect(await http.agent.get('/v1/tools')).toMatchObject({status: 403});
    expect(await http.otherAgent.get(`/v1/tools?task_id=${task_id}`)).toMatchObject({status: 403});
    expect(await http.agent.get('/v1/tools?task_id=none')).toMatchObject({status: 404});
    await http.agent.post('/v1/tasks', {id: 'unclaimed', lane_id: 'core'});
    expect(await http.operator.get('/v1/tools?task_id=unclaimed')).toMatchObject({status: 200, body: {tools: []}});
  });

  test('a call is explained and nothing is recorded', async () => {
    const {task_id} = (await http.agent.post('/v1/sessions')).body;
    const explain = async (input: string): Promise<Answer> =>
      await http.agent.get(`/v1/policy/explain?tool=files:write&task_id=${task_id}&input=${encodeURIComponent(input)}`);
    expect(await explain('{"path":".env"}')).toMatchObject({status: 200, body: {decision: 'deny'}});
    expect(await explain('{"path":"a"}')).toMatchObject({status: 200, body: {decision: 'allow'}});
    expect(await explain('{')).toMatchObject({status: 400});
    expect(await http.agent.get('/v1/policy/explain?tool=files:read')).toMatchObject({status: 400});
    const input = encodeURIComponent('{"path":".env"}');
    expect((await http.agent.get(`/v1/policy/explain?tool=files:write&lane=core&input=${input}`)).body).toEqual(
      (await explain('{"path":".env"}')).body,
    );
    expect(await http.agent.get('/v1/policy/explain?tool=files:read&lane=x')).toMatchObject({status: 404});
    expect(await http.otherAgent.get(`/v1/policy/explain?tool=files:read&task_id=${task_id}`)).toMatchObject({
      status: 403,
    });
    await http.agent.post('/v1/tasks', {id: 'unclaimed', lane_id: 'core'});
    expect(await http.operator.get('/v1/policy/explain?tool=files:read&task_id=unclaimed')).toMatchObject({
      status: 409,
    });
    expect((await http.runtime.evidence.readTraces()).receipts).toEqual([]);
  });
});
