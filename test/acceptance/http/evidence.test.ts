// Evidence over HTTP: pages of receipts, what went in and came out, and the state of the log.
import {verifyEvidenceProof} from '@lumenflow/kernel/node';
import type {PolicyRule} from '@lumenflow/schemas';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {openHttpStage, type HttpStage} from '../../support/http-stage.ts';

let http: HttpStage;
beforeEach(async () => {
  http = await openHttpStage();
});
afterEach(() => http.close());

test('receipts are filtered and paged', async () => {
  const receipts: string[] = [];
  for (const path of ['a', 'b', 'c']) {
    const called = await http.agent.post('/v1/tools/files:read', {input: {path}});
    receipts.unshift(called.body.metadata.receipt_id);
  }
  await http.agent.post('/v1/tools/files:erase');
  const read = async (query: string): Promise<{ids: string[]; next?: number}> => {
    const {body} = await http.operator.get(`/v1/evidence?${query}`);
    return {ids: body.receipts.map((one: {receipt_id: string}) => one.receipt_id), next: body.next_before_seq};
  };
  const first = await read('result=success&limit=2');
  expect(first.ids).toEqual(receipts.slice(0, 2));
  const second = await read(`result=success&limit=2&before_seq=${first.next}`);
  expect(second).toEqual({ids: receipts.slice(2), next: undefined});
  expect((await read('result=denied')).ids).toHaveLength(1);
  expect((await read('tool_name=files:erase')).ids).toHaveLength(1);
  expect((await read('until=2001-01-01T00:00:00.000Z')).ids).toEqual([]);
  const {started} = (await http.runtime.evidence.receipt(receipts[0]!))!;
  const inDelhi = new Date(Date.parse(started.timestamp) + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30');
  expect((await read(`result=success&since=${encodeURIComponent(inDelhi)}`)).ids).toHaveLength(3);
});

test('refused calls are found page by page, complete and each once, while more calls come', async () => {
  await http.close();
  const when = {arguments: {'/path': {equals: '.env'}}};
  const deny: PolicyRule = {id: 'no-env', trigger: 'on_tool_request', decision: 'deny', when};
  http = await openHttpStage({workspace: {policies: {default_decision: 'allow', rules: [deny]}}});
  const call = async (path: string): Promise<string> =>
    (await http.agent.post('/v1/tools/files:read', {input: {path}})).body.metadata.receipt_id;
  const refused: string[] = [];
  for (const path of ['a', '.env', '.env', 'b', '.env', 'c', '.env', '.env', 'd']) {
    const receipt = await call(path);
    if (path === '.env') refused.unshift(receipt);
  }
  const seen: string[] = [];
  for (let next: number | undefined, pages = 0; pages === 0 || next !== undefined; pages += 1) {
    const after = next === undefined ? '' : `&before_seq=${next}`;
    const {body} = await http.operator.get(`/v1/evidence?refused=true&limit=2${after}`);
    seen.push(...body.receipts.map((one: {receipt_id: string}) => one.receipt_id));
    next = body.next_before_seq;
    await call('.env');
    await call('e');
  }
  expect(seen).toEqual(refused);
  expect((await http.operator.get('/v1/evidence?refused=false&limit=1')).body.receipts).toHaveLength(1);
});

test('calls are searched by parts of names and by outcome; a caller can be left out', async () => {
  await http.agent.post('/v1/tools/files:read', {input: {path: 'a'}});
  await http.agent.post('/v1/tools/no:such');
  const search = async (query: string) => {
    const {body} = await http.operator.get(`/v1/evidence?${query}`);
    const names = body.receipts.map(({started}: {started: {tool_name: string}}) => started.tool_name);
    return {...body, names};
  };
  expect(new Set((await search('text=FILES%20rea')).names)).toEqual(new Set(['files:read']));
  expect((await search('text=rea%20nobody')).names).toEqual([]);
  expect((await search('outcome=denied&text=such')).names).toEqual(['no:such']);
  const [{started}] = (await search('outcome=success&limit=1')).receipts;
  const without = await search(`without_by=${started.by}&outcome=success`);
  expect(without).toMatchObject({names: [], left_out: expect.any(Number)});
  expect(without.left_out).toBeGreaterThan(0);
});

test.each([
  'limit=0',
  'outcome=maybe',
  'limit=1001',
  'limit=x',
  'limit=1&limit=2',
  'result=maybe',
  'since=yesterday',
  'refused=yes',
  'other=1',
])('the query %s does not fit', async (query) => {
  expect(await http.operator.get(`/v1/evidence?${query}`)).toMatchObject({
    status: 400,
    body: {error: {code: 'INVALID_INPUT', message: expect.stringContaining('query')}},
  });
});

test('the caller and operators can read a receipt, with its input and output', async () => {
  const {body} = await http.agent.post('/v1/tools/files:read', {input: {path: 'ä'}});
  const path = `/v1/evidence/${body.metadata.receipt_id}`;
  for (const client of [http.agent, http.operator]) {
    expect(await client.get(path)).toMatchObject({status: 200, body: {receipt_id: body.metadata.receipt_id}});
    expect(await client.get(`${path}/input`)).toMatchObject({status: 200, body: {path: 'ä'}});
    expect(await client.get(`${path}/output`)).toMatchObject({status: 200, body: {path: 'ä'}});
  }
  for (const part of ['', '/input', '/output']) {
    expect(await http.otherAgent.get(path + part)).toMatchObject({
      status: 403,
      body: {error: {code: 'SESSION_DENIED'}},
    });
  }
});

test('those who may see the receipt can get a proof, which a third party can verify', async () => {
  const {body} = await http.agent.post('/v1/tools/files:read', {input: {path: 'secret'}});
  const path = `/v1/evidence/${body.metadata.receipt_id}/proof`;
  for (const client of [http.agent, http.operator]) {
    const proof = await client.get(path);
    expect(proof).toMatchObject({status: 200, body: {version: 1, receipt_id: body.metadata.receipt_id}});
    expect(verifyEvidenceProof(proof.body, proof.body.verifier_key)).toMatchObject({valid: true, trusted: true});
    expect(JSON.stringify(proof.body)).not.toContain('secret');
  }
  expect(await http.otherAgent.get(path)).toMatchObject({status: 403});
  expect(await http.operator.get('/v1/evidence/rcp-none/proof')).toMatchObject({status: 404});
});

test('what was never kept is not found', async () => {
  expect(await http.operator.get('/v1/evidence/rcp-none')).toMatchObject({
    status: 404,
    body: {error: {code: 'RECEIPT_NOT_FOUND'}},
  });
  const denied = await http.agent.post('/v1/tools/files:erase');
  const path = `/v1/evidence/${denied.body.metadata.receipt_id}`;
  expect(await http.operator.get(`${path}/output`)).toMatchObject({status: 404});
});

test('a receipt of a task that is not there is for operators only', async () => {
  const called = await http.agent.post('/v1/tools/files:read', {task_id: 'none'});
  const path = `/v1/evidence/${called.body.metadata.receipt_id}`;
  expect(await http.operator.get(path)).toMatchObject({status: 200});
  expect(await http.otherAgent.get(path)).toMatchObject({status: 404});
});

test('concurrent requests share one verification of the log', async () => {
  await http.agent.post('/v1/tools/files:read');
  const answers = await Promise.all([1, 2, 3].map(() => http.operator.get('/v1/evidence/verify')));
  for (const {status, body} of answers) {
    expect(status).toBe(200);
    expect(body).toMatchObject({records: 2, findings: expect.any(Array)});
  }
});
