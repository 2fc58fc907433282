// Requests made from the API's own description, most of them nonsense with some truth in it: none breaks the server, and
// every answer is one that the description has. fast-check prints the seed of what failed.
import * as fc from 'fast-check';
import {afterAll, beforeAll, expect, test} from 'vitest';
import type {ApiDescription, Operation} from '../../support/answer-check.ts';
import {openHttpStage, type Answer, type Client, type HttpStage} from '../../support/http-stage.ts';

const runs = 400;

let http: HttpStage;
beforeAll(async () => {
  http = await openHttpStage();
});
afterAll(() => http.close());

interface Target {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

async function targets(): Promise<readonly Target[]> {
  const {paths} = (await http.agent.get('/openapi.json')).body as ApiDescription;
  return Object.entries(paths)
    .filter(([path]) => !/\/(?:live|events)$/.test(path))
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({method, path, operation})));
}

/** What is there, so that requests get past the first question. */
async function truths(): Promise<readonly unknown[]> {
  const {body: session} = await http.agent.post('/v1/sessions');
  const {task_id, run_id, session_id} = session;
  const {body: called} = await http.agent.post('/v1/tools/files:read', {task_id, run_id, session_id});
  const {body: created} = await http.agent.post('/v1/tasks', {id: 'ready', lane_id: 'core'});
  const receiptId: unknown = called.metadata.receipt_id;
  return [task_id, run_id, session_id, receiptId, created.task_id, 'core', 'files:read', 'files:write', 'ready', 1];
}

function textOf(drawn: unknown): string {
  return typeof drawn === 'string' ? Buffer.from(drawn).toString() : JSON.stringify(drawn);
}

async function send(client: Client, {method, path, operation}: Target, next: () => unknown): Promise<Answer> {
  const filled = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(textOf(next())) || 'x');
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query' && next() !== '');
  const query = new URLSearchParams(inQuery.map(({name}) => [name, textOf(next())] as [string, string]));
  if (method === 'get') return await client.get(`${filled}?${query.toString()}`);
  const properties = Object.keys(
    operation.requestBody?.content['application/json']?.schema.properties ?? {id: 1, lane_id: 1},
  );
  const body = Object.fromEntries(properties.filter(() => next() !== '').map((name) => [name, next()]));
  return await client.post(filled, next() === 1 ? next() : body);
}

test(`no request of ${runs} made from it breaks the server`, async () => {
  const all = await targets();
  const value = fc.oneof(
    {weight: 3, arbitrary: fc.constantFrom(...(await truths()))},
    {weight: 1, arbitrary: fc.string({maxLength: 40})},
    {weight: 1, arbitrary: fc.jsonValue({maxDepth: 2})},
    {weight: 1, arbitrary: fc.constantFrom('', '\u0000', '../..', '%2e', '__proto__', -1, 1e308, true, {}, [], null)},
  );
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...all),
      fc.constantFrom(http.agent, http.otherAgent, http.operator, http.admin),
      fc.infiniteStream(value),
      async (target, client, values) => {
        const {status, body} = await send(client, target, () => values.next().value);
        statuses.add(status);
        expect([status, body]).toEqual([expect.toSatisfy((code: number) => code < 500), body]);
      },
    ),
    {numRuns: runs},
  );
  expect(http.errors).toEqual([]);
  // It got beyond the door.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 403, 404]));
});
