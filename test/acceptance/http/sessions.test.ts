// Sessions of the API: a caller's share of a lane, and the end of unused ones.
import type {WorkspaceSpec} from '@lumenflow/schemas';
import {afterEach, expect, test, vi} from 'vitest';
import {openHttpStage, type HttpStage} from '../../support/http-stage.ts';

const allowed_scopes = [{type: 'path' as const, pattern: '**', access: 'write' as const}];
const rule = {
  id: 'ask',
  trigger: 'on_tool_request',
  decision: 'approval_required',
  when: {tool: 'files:write'},
} as const;
const workspace: Partial<WorkspaceSpec> = {
  lanes: [{id: 'core', allowed_scopes: [...allowed_scopes], wip_limit: 4}],
  policies: {default_decision: 'allow', rules: [rule]},
};

let http: HttpStage;
afterEach(() => http.close());

const stateOf = async (id: string): Promise<unknown> => (await http.agent.get(`/v1/tasks/${id}`)).body.state;

const century = 100 * 365 * 86_400_000;

test('a caller gets half of a lane, and others still get in', async () => {
  http = await openHttpStage({workspace});
  const [first] = [await http.agent.post('/v1/sessions'), await http.agent.post('/v1/sessions')];
  expect(await http.agent.post('/v1/sessions')).toMatchObject({
    status: 409,
    body: {error: {code: 'WIP_LIMIT_REACHED', message: expect.stringContaining('your share')}},
  });
  expect(await http.agent.post('/v1/tools/files:read')).toMatchObject({status: 409});
  expect(await http.otherAgent.post('/v1/sessions')).toMatchObject({status: 201});
  expect(await http.otherAgent.post('/v1/tools/files:read')).toMatchObject({status: 200});
  await http.agent.post(`/v1/tasks/${first.body.task_id}/complete`);
  expect(await http.agent.post('/v1/sessions')).toMatchObject({status: 201});
});

test('a session that nobody uses ends although the clock was set back', async () => {
  http = await openHttpStage({workspace, server: {sessionIdleMs: 100}});
  // The records are from a time that the server's clock has not reached.
  http.stage.clock.move(century);
  const unused = (await http.agent.post('/v1/sessions')).body.task_id as string;
  await vi.waitFor(async () => expect(await stateOf(unused)).toBe('done'), {timeout: 20_000});
});

test('a session that nobody uses ends, unless a person is to answer', async () => {
  http = await openHttpStage({workspace, server: {sessionIdleMs: 1_000}});
  // The stage's clock does not move. In the future, no session is idle before a second has passed; in the past, every session is.
  http.stage.clock.move(century);
  const waiting = (await http.agent.post('/v1/tools/files:write', {input: {path: 'a'}})).body;
  http.stage.clock.move(-century);
  const unused = (await http.otherAgent.post('/v1/sessions')).body.task_id as string;
  const named = 'planned';
  await http.agent.post('/v1/tasks', {id: named, lane_id: 'core'});
  await http.agent.post(`/v1/tasks/${named}/claim`);
  await vi.waitFor(async () => expect(await stateOf(unused)).toBe('done'), {timeout: 60_000});
  expect([await stateOf(waiting.task_id), await stateOf(named)]).toEqual(['active', 'active']);
  await http.operator.post(`/v1/approvals/${waiting.request_id}`, {approved: false});
  await vi.waitFor(async () => expect(await stateOf(waiting.task_id)).toBe('done'), {timeout: 60_000});
});
