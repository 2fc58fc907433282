// Tasks and sessions over HTTP: the way through a task's life, and whose it is.
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {openHttpStage, type HttpStage} from '../../support/http-stage.ts';

let http: HttpStage;
beforeEach(async () => {
  const everything = [{type: 'path' as const, pattern: '**', access: 'write' as const}];
  http = await openHttpStage({
    workspace: {
      lanes: [
        {id: 'core', allowed_scopes: everything},
        {id: 'narrow', allowed_scopes: everything, wip_limit: 1},
      ],
    },
  });
});
afterEach(() => http.close());

test('a task is created, claimed, blocked, unblocked, released, claimed again and completed', async () => {
  const {agent} = http;
  const created = await agent.post('/v1/tasks', {id: 't1', lane_id: 'core', title: 'One'});
  expect(created).toMatchObject({status: 201, body: {task_id: 't1', state: 'ready'}});
  const claimed = await agent.post('/v1/tasks/t1/claim');
  expect(claimed).toMatchObject({
    status: 200,
    body: {task_id: 't1', by: 'ann', session_id: expect.stringMatching(/^session-/)},
  });
  expect(await agent.post('/v1/tasks/t1/block', {reason: 'waits'})).toMatchObject({
    status: 200,
    body: {state: 'blocked', blocked_reason: 'waits'},
  });
  expect(await agent.post('/v1/tasks/t1/unblock')).toMatchObject({status: 200, body: {state: 'active'}});
  expect(await agent.post('/v1/tasks/t1/release', {reason: 'later'})).toMatchObject({
    status: 200,
    body: {state: 'ready'},
  });
  expect((await agent.post('/v1/tasks/t1/claim', {session_id: 's-9'})).body.session_id).toBe('s-9');
  expect(await agent.post('/v1/tasks/t1/complete', {evidence_refs: ['rcp-1']})).toMatchObject({
    status: 200,
    body: {state: 'done', evidence_refs: ['rcp-1']},
  });
  expect(await agent.get('/v1/tasks/t1')).toMatchObject({status: 200, body: {state: 'done', spec: {title: 'One'}}});
  const actors = (await http.runtime.events.read()).map((event) => [event.type, event.actor]);
  expect(actors.every(([, actor]) => actor === 'ann')).toBe(true);
  expect(actors).toHaveLength(7);
});

test('tasks are listed by lane and state, in pages', async () => {
  for (const id of ['a', 'b', 'c']) await http.agent.post('/v1/tasks', {id, lane_id: id === 'c' ? 'narrow' : 'core'});
  await http.agent.post('/v1/tasks/b/claim');
  const ids = async (query: string): Promise<unknown> =>
    (await http.agent.get(`/v1/tasks${query}`)).body.tasks.map((task: {task_id: string}) => task.task_id);
  expect(await ids('')).toEqual(['a', 'b', 'c']);
  expect(await ids('?lane_id=core&state=active')).toEqual(['b']);
  const first = await http.agent.get('/v1/tasks?limit=2');
  expect(first.body.next_after).toBe('b');
  const rest = await http.agent.get('/v1/tasks?limit=2&after=b');
  expect(rest.body).toEqual({tasks: [expect.objectContaining({task_id: 'c'})], total: 3});
  expect(await ids('?order=newest&limit=2')).toEqual(['c', 'b']);
  expect(await ids('?order=newest&limit=2&after=b')).toEqual(['a']);
  expect(await http.agent.get('/v1/tasks?after=zzz')).toMatchObject({
    status: 400,
    body: {error: {code: 'INVALID_INPUT'}},
  });
});

describe('refusals', () => {
  test.each([
    ['a lane that is not there', '/v1/tasks', {id: 't', lane_id: 'nope'}, 404, 'LANE_NOT_FOUND'],
    ['a spec that does not fit', '/v1/tasks', {id: '../x', lane_id: 'core'}, 400, 'INVALID_INPUT'],
    ['a spec that is a list', '/v1/tasks', [], 400, 'INVALID_INPUT'],
    ['a task that is not there', '/v1/tasks/none/claim', {}, 404, 'TASK_NOT_FOUND'],
    ['completing what is not there', '/v1/tasks/none/complete', {}, 404, 'TASK_NOT_FOUND'],
    ['releasing what is not there', '/v1/tasks/none/release', {reason: 'x'}, 404, 'TASK_NOT_FOUND'],
    ['a task that is there', '/v1/tasks', {id: 'standing', lane_id: 'core'}, 409, 'TASK_EXISTS'],
    ['completing what nobody claimed', '/v1/tasks/standing/complete', {}, 409, 'TASK_NOT_ACTIVE'],
    ['blocking what nobody claimed', '/v1/tasks/standing/block', {reason: 'x'}, 409, 'TASK_NOT_ACTIVE'],
    ['blocking without a reason', '/v1/tasks/standing/block', {}, 400, 'INVALID_INPUT'],
    ['a session id that is none', '/v1/tasks/standing/claim', {session_id: 'a b'}, 400, 'INVALID_INPUT'],
    ['what the route does not know', '/v1/tasks/standing/claim', {by: 'olga'}, 400, 'INVALID_INPUT'],
    ['policies of an agent’s own', '/v1/tasks', {id: 'p', lane_id: 'core', policies: {}}, 403, 'ROLE_DENIED'],
  ])('%s', async (...[, path, body, status, code]) => {
    await http.agent.post('/v1/tasks', {id: 'standing', lane_id: 'core'});
    expect(await http.agent.post(path, body)).toMatchObject({status, body: {error: {code}}});
  });

  test('an operator may give a task policies', async () => {
    const spec = {id: 'p', lane_id: 'core', policies: {default_decision: 'deny'}};
    expect(await http.operator.post('/v1/tasks', spec)).toMatchObject({status: 201});
  });

  test('a task that is claimed, and a lane that is full', async () => {
    for (const id of ['n1', 'n2']) await http.agent.post('/v1/tasks', {id, lane_id: 'narrow'});
    await http.agent.post('/v1/tasks/n1/claim');
    expect(await http.otherAgent.post('/v1/tasks/n1/claim')).toMatchObject({
      status: 409,
      body: {error: {code: 'TASK_NOT_CLAIMABLE'}},
    });
    expect(await http.agent.post('/v1/tasks/n2/claim')).toMatchObject({
      status: 409,
      body: {error: {code: 'WIP_LIMIT_REACHED'}},
    });
    expect(await http.agent.post('/v1/sessions', {lane: 'narrow'})).toMatchObject({status: 409});
  });

  test('a task whose spec was changed behind the runtime’s back', async () => {
    await http.agent.post('/v1/tasks', {id: 't', lane_id: 'core'});
    http.stage.home.tamperWithTask('t');
    expect(await http.agent.post('/v1/tasks/t/claim')).toMatchObject({
      status: 409,
      body: {error: {code: 'TASK_SPEC_CHANGED'}},
    });
  });
});

describe('a task belongs to the session that claimed it', () => {
  beforeEach(async () => {
    await http.agent.post('/v1/tasks', {id: 't1', lane_id: 'core'});
    await http.agent.post('/v1/tasks/t1/claim', {session_id: 's-1'});
  });

  test.each([
    ['/v1/tasks/t1/block', {reason: 'x'}],
    ['/v1/tasks/t1/release', {reason: 'x', session_id: 's-1'}],
    ['/v1/tasks/t1/unblock', {session_id: 's-1'}],
    ['/v1/tasks/t1/complete', {session_id: 's-1'}],
    ['/v1/tools/files:read', {task_id: 't1', session_id: 's-1'}],
  ])('another agent cannot %s, though it knows the ids', async (path, body) => {
    const before = (await http.runtime.events.read()).length;
    expect(await http.otherAgent.post(path, body)).toMatchObject({
      status: 403,
      body: {error: {code: 'SESSION_DENIED'}},
    });
    expect(await http.runtime.events.read()).toHaveLength(before);
    expect(http.runtime.dispatcher.requests).toEqual([]);
  });

  test('another agent cannot take on its session id', async () => {
    await http.otherAgent.post('/v1/tasks', {id: 't2', lane_id: 'core'});
    expect(await http.otherAgent.post('/v1/tasks/t2/claim', {session_id: 's-1'})).toMatchObject({
      status: 403,
      body: {error: {code: 'SESSION_DENIED'}},
    });
  });

  test('an operator may block, unblock and release it, in the operator’s own name', async () => {
    expect(await http.operator.post('/v1/tasks/t1/block', {reason: 'stop'})).toMatchObject({status: 200});
    expect(await http.operator.post('/v1/tasks/t1/unblock')).toMatchObject({status: 200});
    expect(await http.operator.post('/v1/tasks/t1/release', {reason: 'stop'})).toMatchObject({status: 200});
    expect((await http.runtime.events.read()).slice(-3).map(({actor}) => actor)).toEqual(['olga', 'olga', 'olga']);
  });

  test('but not call tools in it, nor complete it', async () => {
    expect(await http.admin.post('/v1/tools/files:read', {task_id: 't1'})).toMatchObject({status: 403});
    expect(await http.admin.post('/v1/tasks/t1/complete')).toMatchObject({status: 403});
  });
});

test('a session has its own task, or a named one', async () => {
  const own = await http.agent.post('/v1/sessions', {lane: 'narrow'});
  expect(own).toMatchObject({
    status: 201,
    body: {by: 'ann', run_id: expect.any(String), session_id: expect.any(String)},
  });
  expect((await http.agent.get(`/v1/tasks/${own.body.task_id}`)).body).toMatchObject({
    lane_id: 'narrow',
    state: 'active',
  });
  await http.agent.post('/v1/tasks', {id: 't1', lane_id: 'core'});
  expect(await http.agent.post('/v1/sessions', {task_id: 't1'})).toMatchObject({status: 201, body: {task_id: 't1'}});
  expect(await http.agent.post('/v1/sessions', {task_id: 'none'})).toMatchObject({status: 404});
  expect(await http.agent.post('/v1/sessions', {lane: 'nope'})).toMatchObject({status: 404});
});
