// Programs over HTTP: checked, run, resumed, and read by permitted callers.
import {afterAll, beforeAll, expect, test} from 'vitest';
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
  expect((await http.agent.get('/v1/programs')).status).toBe(403);
  const listed = (await http.operator.get('/v1/programs')).body;
  expect(listed.programs).toMatchObject([{run_id: started.body.run_id, name: 'reading', task_state: 'active'}]);
  await http.runtime.resolveApproval({request_id: started.body.approvals[0], approved: true, approved_by: 'olga'});
  expect(await http.agent.post(`${path}/resume`)).toMatchObject({status: 200, body: {state: 'succeeded', value: 'a'}});
  expect((await http.agent.post(`${path}/resume`)).status).toBe(409);
  expect((await http.operator.get('/v1/programs/program-none')).status).toBe(404);
});
