// Programs over HTTP: checked, run, resumed, and read by permitted callers.
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {openHttpStage, type HttpStage} from '../../support/http-stage.ts';

let http: HttpStage;
beforeAll(async () => {
  http = await openHttpStage();
});
afterAll(() => http.close());

const program = `
name: reading
inputs: {path: {type: string}}
steps:
  - {wait_for_approval: "Read \${inputs.path}?"}
  - {call: files:read, args: {path: "\${inputs.path}"}, as: file}
  - {return: "\${file.path}"}
`;

test('a program is checked without running', async () => {
  expect(await http.agent.post('/v1/programs/check', {program})).toMatchObject({
    status: 200,
    body: {name: 'reading', problems: [], calls_max: 1, calls: [{tool_id: 'files:read', policy: 'allowed'}]},
  });
  const wrong = await http.agent.post('/v1/programs/check', {program: {name: 'x', steps: [{call: 'files:raed'}]}});
  expect(wrong.body.problems).toMatchObject([{pointer: '/steps/0/call', help: 'did you mean `files:read`?'}]);
  expect((await http.agent.post('/v1/programs/check', {program, lane: 'none'})).status).toBe(404);
});

test('a program runs, waits, and is resumed', async () => {
  expect(await http.agent.post('/v1/programs', {program})).toMatchObject({
    status: 400,
    body: {error: {code: 'INVALID_INPUT'}},
  });
  const started = await http.agent.post('/v1/programs', {program, inputs: {path: 'a'}});
  expect(started).toMatchObject({status: 200, body: {state: 'waiting', approvals: [expect.any(String)]}});
  const path = `/v1/programs/${started.body.run_id}`;
  expect((await http.agent.get(path)).body).toEqual(started.body);
  expect((await http.otherAgent.get(path)).status).toBe(403);
  expect((await http.otherAgent.post(`${path}/resume`)).status).toBe(403);
  const {run_id} = started.body;
  expect((await http.agent.get('/v1/programs')).body.programs).toMatchObject([{run_id, by: 'ann'}]);
  expect((await http.otherAgent.get('/v1/programs')).body.programs).toEqual([]);
  const listed = (await http.operator.get('/v1/programs')).body;
  expect(listed.programs).toMatchObject([{run_id: started.body.run_id, name: 'reading', task_state: 'blocked'}]);
  await http.runtime.resolveApproval({request_id: started.body.approvals[0], approved: true, approved_by: 'olga'});
  expect(await http.agent.post(`${path}/resume`)).toMatchObject({status: 200, body: {state: 'succeeded', value: 'a'}});
  expect(await http.agent.post(`${path}/resume`)).toMatchObject({status: 200, body: {state: 'succeeded', value: 'a'}});
  expect((await http.operator.get('/v1/programs/program-none')).status).toBe(404);
});

test('the end of the client’s connection interrupts the run, which is resumed', async () => {
  const steps = [{let: {failed: '${1 / 0}'}}];
  const paused = {name: 'paused', steps: [{retry: 2, delay_ms: 60_000, steps}]};
  const client = new AbortController();
  const asked = http.agent.post('/v1/programs', {program: paused}, {signal: client.signal});
  const runOf = async (): Promise<string> => {
    const {programs} = (await http.agent.get('/v1/programs')).body;
    return programs.find(({name}: {readonly name: string}) => name === 'paused')?.run_id;
  };
  await vi.waitFor(async () => {
    expect((await http.agent.get(`/v1/programs/${await runOf()}`)).body).toMatchObject({state: 'running'});
  }, 60_000);
  client.abort();
  await expect(asked).rejects.toThrow('aborted');
  const path = `/v1/programs/${await runOf()}`;
  await vi.waitFor(async () => expect((await http.agent.get(path)).body).toMatchObject({state: 'interrupted'}), 60_000);
});

test('an operator resumes the run of an agent, in its name; its record stays the agent’s', async () => {
  const started = await http.agent.post('/v1/programs', {program, inputs: {path: 'none/such'}});
  const {run_id, by, approvals} = started.body;
  expect(by).toBe('ann');
  await http.runtime.resolveApproval({request_id: approvals[0], approved: false, approved_by: 'olga', reason: 'no'});
  const path = `/v1/programs/${run_id}`;
  expect(await http.operator.post(`${path}/resume`)).toMatchObject({status: 200, body: {state: 'failed', by: 'ann'}});
  // Its task is cancelled, so no session claims it.
  expect(await http.agent.get(path)).toMatchObject({status: 200, body: {state: 'failed'}});
  expect((await http.otherAgent.get(path)).status).toBe(403);
});

test('a task cannot be made into the run of a program that was not checked', async () => {
  const [type] = http.runtime.workspace.packOfTaskType.keys();
  const [{id: lane_id}] = http.runtime.workspace.spec.lanes;
  const forged = {
    id: 'program-forged',
    lane_id,
    program: {by: 'olga', surface: 'cli', file: 'a', text: 'name: a\nsteps: [{return: 1}]', inputs: {}},
  } as const;
  expect(await http.agent.post('/v1/tasks', forged)).toMatchObject({
    status: 400,
    body: {error: {code: 'INVALID_INPUT', message: expect.stringContaining('POST /v1/programs')}},
  });
  expect(await http.runtime.createTask({...forged, type: type ?? ''})).toMatchObject({success: true});
  expect((await http.operator.post('/v1/programs/program-forged/resume')).status).toBe(404);
});
