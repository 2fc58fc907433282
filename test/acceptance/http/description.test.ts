// The API's own description: valid OpenAPI, true of every route, and enough to generate a client from. That each answer
// fits it is checked wherever tests speak to the API: by the clients of support/http-stage.ts.
import {Validator} from '@seriousme/openapi-schema-validator';
import {execFile} from 'node:child_process';
import {mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import openapiTypes, {astToString, type OpenAPI3} from 'openapi-typescript';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {createAnswerCheck, type ApiDescription} from '../../support/answer-check.ts';
import {openHttpStage, type HttpStage} from '../../support/http-stage.ts';

const run = promisify(execFile);
const repository = join(import.meta.dirname, '..', '..', '..');

let http: HttpStage;
let description: ApiDescription;
beforeAll(async () => {
  http = await openHttpStage();
  description = (await http.agent.get('/openapi.json')).body as ApiDescription;
});
afterAll(() => http.close());

test('is valid OpenAPI 3.1 with one name for each operation', async () => {
  expect(await new Validator().validate({...description})).toMatchObject({valid: true});
  const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));
  const names = new Set(operations.map(({operationId}) => operationId));
  expect(names.size).toBe(operations.length);
  const {tags = []} = description as {tags?: readonly {readonly name: string}[]};
  const known = tags.map(({name}) => name);
  for (const {tags: [tag] = []} of operations as {tags?: readonly string[]}[]) expect(known).toContain(tag);
});

test('each operation is there: with no token it asks for one, except health and signing in', async () => {
  const all = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(all).toEqual(
    expect.arrayContaining(['post /v1/tools/{name}', 'get /v1/evidence/{receipt}/proof', 'get /metrics']),
  );
  const open: string[] = [];
  for (const operation of all) {
    const [method = '', path = ''] = operation.split(' ');
    const address = http.server.url + path.replaceAll(/\{\w+\}/g, 'x');
    const {status} = await fetch(address, {method: method.toUpperCase()});
    if (status !== 401) open.push(operation);
  }
  expect(open).toEqual([
    'get /healthz',
    'get /readyz',
    'get /v1/sign-in',
    'post /v1/sign-in',
    'post /v1/sign-in/finish',
  ]);
});

test('every status of every operation has its own shape, which refuses another', () => {
  for (const [path, methods] of Object.entries(description.paths)) {
    // Errors of SCIM have its own type; refusals of the server are the same everywhere.
    const typesMax = path.startsWith('/scim/') ? 2 : 1;
    for (const {operationId, responses} of Object.values(methods)) {
      expect(Object.keys(responses), operationId).toEqual(
        expect.arrayContaining([expect.stringMatching(/^20[014]$/), '500']),
      );
      for (const {content} of Object.values(responses)) {
        expect(Object.keys(content).length, operationId).toBeLessThanOrEqual(typesMax);
      }
    }
  }
  const check = createAnswerCheck(description);
  const reported = (status: number, body: unknown) => ({status, contentType: 'application/json', body});
  expect(check('GET', '/v1/caller', reported(200, {name: 'ann', role: 'agent'}))).toBeUndefined();
  expect(check('GET', '/v1/caller', reported(200, {name: 'ann', role: 'agent', token: 'lf_x'}))).toContain('token');
  expect(check('GET', '/v1/caller', reported(418, {}))).toContain('418');
  const refusal = (code: string) => reported(404, {error: {code, message: 'none'}});
  expect(check('GET', '/v1/tasks/t', refusal('TASK_NOT_FOUND'))).toBeUndefined();
  expect(check('GET', '/v1/tasks/t', refusal('LANE_NOT_FOUND'))).toContain('get_v1_tasks_id 404');
});

/** A client written from the description alone; lines that must not compile are marked. */
const program = `
import createClient from 'openapi-fetch';
import type {components, paths} from './api.ts';

const {API = '', TOKEN = ''} = process.env;
const client = createClient<paths>({baseUrl: API, headers: {authorization: \`Bearer \${TOKEN}\`}});

const {data: session} = await client.POST('/v1/sessions', {body: {lane: 'core'}});
if (!session || !('task_id' in session)) throw new Error('no session: it was refused, or waits for a person');
const called = await client.POST('/v1/tools/{name}', {
  params: {path: {name: 'files:read'}},
  body: {input: {path: 'a'}, task_id: session.task_id, run_id: session.run_id, session_id: session.session_id},
});
const receiptId = called.data && 'success' in called.data ? called.data.metadata?.receipt_id : undefined;
if (receiptId === undefined) throw new Error('no receipt');
const shown = await client.GET('/v1/evidence/{receipt}', {params: {path: {receipt: receiptId}}});
const receipt: components['schemas']['http_receipt'] | undefined = shown.data;
const missing = await client.GET('/v1/tasks/{id}', {params: {path: {id: 'none'}}});
const message: string | undefined = missing.error?.error.message;

// @ts-expect-error: there is no such path
await client.GET('/v1/none');
// @ts-expect-error: a task needs its lane
const wrong: components['schemas']['task_spec'] = {id: 't'};
// @ts-expect-error: a receipt has no colour
const colour = receipt?.colour;

console.log(JSON.stringify({tool: receipt?.started.tool_name, result: receipt?.finished?.result, message, wrong, colour}));
`;

test('a client generated from it compiles, refuses what the API has not, and works', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lf-client-'));
  try {
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(
      join(folder, 'api.ts'),
      astToString(await openapiTypes(JSON.parse(JSON.stringify(description)) as OpenAPI3)),
    );
    writeFileSync(join(folder, 'program.ts'), program);
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    const options = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--types', 'node', '--skipLibCheck'];
    const emit = ['--rewriteRelativeImportExtensions', '--outDir', 'out'];
    const compiler = join(repository, 'node_modules/typescript/bin/tsc');
    const compiled = run(process.execPath, [compiler, ...options, ...emit, 'program.ts'], {cwd: folder});
    expect(await compiled.catch(({stdout}: {stdout: string}) => ({stdout}))).toMatchObject({stdout: ''});
    const env = {PATH: process.env['PATH'] ?? '', API: http.server.url, TOKEN: http.agent.token};
    const {stdout} = await run(process.execPath, ['out/program.js'], {cwd: folder, env});
    expect(JSON.parse(stdout)).toEqual({
      tool: 'files:read',
      result: 'success',
      message: 'there is no task `none`',
      wrong: {id: 't'},
    });
  } finally {
    rmSync(folder, {recursive: true});
  }
}, 60_000);
