// An identity provider that provisions people over SCIM: a person who is deactivated is out on every host.
import {openSession, openTokenStore, startHttpServer, type HttpServer} from '@lumenflow/host';
import type {SignInSettings, ToolOutput} from '@lumenflow/schemas';
import {afterEach, beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {openHttpStage, type Client, type HttpStage} from '../../support/http-stage.ts';
import {startTestIssuer, type TestIssuer} from '../../support/test-issuer.ts';

const url = 'http://127.0.0.1:1';
const secret = 'a'.repeat(43);
let issuer: TestIssuer;
let http: HttpStage;
let other: HttpServer;
let scimToken: string;
beforeEach(async () => {
  issuer = await startTestIssuer([`${url}/signed-in`]);
  const sign_in: SignInSettings = {...issuer.settings, url, directory: 'scim', roles: {operator: ['staff']}};
  const rule = {
    id: 'writes-are-looked-at',
    trigger: 'on_tool_request',
    decision: 'approval_required',
    when: {tool: 'files:write'},
  } as const;
  const workspace = {sign_in, policies: {default_decision: 'allow' as const, rules: [rule]}};
  http = await openHttpStage({workspace, server: {env: issuer.env}});
  const runtime = await http.stage.open({workspace});
  const host = {runtime, workspaceRoot: http.root, openSession: openSession.bind(undefined, runtime)};
  other = await startHttpServer(host, {tokens: openTokenStore(http.root), version: '0.0.0', env: issuer.env});
  scimToken = await http.tokens.issue({name: 'idp', role: 'directory'});
});
afterEach(async () => {
  await other.close();
  await http.close();
  await issuer.close();
});

interface ScimAnswer {
  readonly status: number;
  readonly contentType: string | null;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

async function scim(method: string, path: string, body?: object, token = scimToken): Promise<ScimAnswer> {
  const response = await fetch(`${http.server.url}/scim/v2${path}`, {
    method,
    headers: {authorization: `Bearer ${token}`, 'content-type': 'application/scim+json'},
    ...(body && {body: JSON.stringify(body)}),
  });
  const text = await response.text();
  const contentType = response.headers.get('content-type');
  return {status: response.status, contentType, body: text === '' ? undefined : JSON.parse(text)};
}

const create = (userName: string): Promise<ScimAnswer> =>
  scim('POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName,
    externalId: `x-${userName}`,
  });
const deactivate = (id: string): Promise<ScimAnswer> =>
  scim('PATCH', `/Users/${id}`, {Operations: [{op: 'replace', path: 'active', value: false}]});

async function signIn(subject: string): Promise<Client | string> {
  const anonymous = http.client('');
  const begun = await anonymous.post('/v1/sign-in', {secret});
  const {search} = await issuer.signIn(begun.body.url, subject);
  const {body} = await anonymous.post('/v1/sign-in/finish', {secret, query: search});
  return body.error ? body.error.code : http.client(body.token);
}

async function signedIn(subject: string): Promise<Client> {
  const client = await signIn(subject);
  if (typeof client === 'string') throw new Error(client);
  return client;
}

test('a provider finds, creates, changes and removes users', async () => {
  expect((await scim('GET', '/Users?filter=userName%20eq%20%22lea%22')).body).toMatchObject({totalResults: 0});
  const created = await create('lea');
  expect(created).toMatchObject({
    status: 201,
    contentType: 'application/scim+json',
    body: {userName: 'lea', externalId: 'x-lea', active: true, meta: {resourceType: 'User'}},
  });
  const {id} = created.body;
  expect((await create('LEA')).body).toMatchObject({status: '409', scimType: 'uniqueness'});
  expect((await scim('GET', '/Users?filter=userName%20eq%20%22Lea%22')).body.Resources).toEqual([created.body]);
  expect((await scim('GET', `/Users/${id}`)).body).toEqual(created.body);
  const replaced = await scim('PUT', `/Users/${id}`, {userName: 'lea', displayName: 'Lea', active: true});
  expect(replaced.body).toMatchObject({id, displayName: 'Lea', active: true});
  expect((await scim('PUT', `/Users/${id}`, {userName: 'max'})).body).toMatchObject({scimType: 'mutability'});
  expect((await scim('PATCH', '/Users/none', {Operations: [{op: 'add', value: {}}]})).status).toBe(404);
  expect(await scim('DELETE', `/Users/${id}`)).toMatchObject({status: 204, body: undefined});
  expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(404);
  expect((await create('lea')).body.id).not.toBe(id);
  expect((await scim('GET', '/ServiceProviderConfig')).body.patch).toEqual({supported: true});
  expect((await scim('GET', '/Users?startIndex=2&count=1')).body).toMatchObject({totalResults: 1, Resources: []});
  // RFC 7644, Pagination: an index below 1 is 1, and a negative count is 0.
  expect((await scim('GET', '/Users?startIndex=-5&count=-1')).body).toMatchObject({startIndex: 1, Resources: []});
  const metrics = await fetch(`${http.server.url}/metrics`, {
    headers: {authorization: `Bearer ${http.operator.token}`},
  });
  expect(await metrics.text()).toMatch(/_requests_total\{method="PUT",route="\/scim\/v2\/Users\/:id",status="200"\}/);
  expect(http.errors).toEqual([]);
});

test('a change does not undo another one that was made at the same time', async () => {
  const {id} = (await create('lea')).body;
  const rename = (displayName: string): Promise<ScimAnswer> =>
    scim('PATCH', `/Users/${id}`, {Operations: [{op: 'replace', path: 'displayName', value: displayName}]});
  const names = Array.from({length: 20}, (_, index) => `Lea ${index}`);
  const before = names.slice(0, 10).map(rename);
  const left = deactivate(id);
  await Promise.all([...before, left, ...names.slice(10).map(rename)]);
  expect((await scim('GET', `/Users/${id}`)).body.active).toBe(false);
  expect(await signIn('s-1')).toBe('PERSON_INACTIVE');
});

test('without `directory: scim` a provider is refused, because it would decide nothing', async () => {
  const {settings, env} = issuer;
  const without = await openHttpStage({
    workspace: {sign_in: {...settings, roles: {operator: ['staff']}}},
    server: {env},
  });
  onTestFinished(() => without.close());
  const token = await without.tokens.issue({name: 'idp', role: 'directory'});
  for (const path of ['/scim/v2/Users', '/scim/v2/ServiceProviderConfig']) {
    expect((await without.client(token).get(path)).body.error.code).toBe('SIGN_IN_UNAVAILABLE');
  }
});

test("the provider's token gives no other access, and no other token gives its access", async () => {
  const idp = http.client(scimToken);
  for (const path of ['/v1/caller', '/v1/tasks', '/v1/approvals', '/v1/people']) {
    expect((await idp.get(path)).body.error.code).toBe('ROLE_DENIED');
  }
  expect((await idp.post('/v1/tools/files:read', {input: {}})).status).toBe(403);
  expect((await idp.post('/mcp', {jsonrpc: '2.0', id: 1, method: 'ping'})).status).toBe(403);
  for (const client of [http.agent, http.operator, http.admin]) {
    expect((await scim('GET', '/Users', undefined, client.token)).status).toBe(403);
  }
  expect((await scim('GET', '/Users', undefined, 'lf_guess')).status).toBe(401);
});

test('only people whom the provider knows and has not deactivated sign in', async () => {
  expect(await signIn('s-1')).toBe('PERSON_INACTIVE');
  const {id} = (await create('lea')).body;
  const lea = await signedIn('s-1');
  await deactivate(id);
  expect((await lea.get('/v1/caller')).status).toBe(401);
  expect(await signIn('s-1')).toBe('PERSON_INACTIVE');
  await scim('PATCH', `/Users/${id}`, {Operations: [{op: 'replace', value: {active: true}}]});
  expect((await lea.get('/v1/caller')).status).toBe(401);
  await signedIn('s-1');
});

test('a person who leaves is out on every host, with all that is open', async () => {
  const {id} = (await create('lea')).body;
  const lea = await signedIn('s-1');
  const headers = {authorization: `Bearer ${lea.token}`, 'content-type': 'application/json'};
  const asked = (await lea.post('/v1/tools/files:write', {input: {path: 'a'}})).body as ToolOutput;
  expect(asked).toMatchObject({error: {code: 'APPROVAL_REQUIRED'}});
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: {name: 'a client', version: '1'},
  };
  const opened = await fetch(`${other.url}/mcp`, {
    method: 'POST',
    headers: {...headers, accept: 'application/json, text/event-stream'},
    body: JSON.stringify({jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize}),
  });
  const session = opened.headers.get('mcp-session-id') ?? '';
  await opened.text();
  const mcp = await fetch(`${other.url}/mcp`, {
    headers: {...headers, accept: 'text/event-stream', 'mcp-session-id': session},
  });
  const events = await fetch(`${other.url}/v1/events`, {headers});
  const open = [mcp, events].map(async (response) => {
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    while ((await reader?.read().catch(() => undefined))?.done === false);
  });
  const heldBefore = http.runtime.listTasks({state: 'active'}).length;
  await deactivate(id);
  expect((await fetch(`${other.url}/v1/caller`, {headers})).status).toBe(401);
  await Promise.all(open);
  const requests = http.runtime.listApprovals();
  expect(requests).toMatchObject([{requested_by: 'lea', state: 'withdrawn', withdrawn_by: 'idp'}]);
  expect(requests[0]?.withdrawn_reason).toBe('the identity provider deactivated `lea`');
  await vi.waitFor(
    () => {
      expect(http.runtime.listTasks({state: 'active'}).length).toBeLessThan(heldBefore);
    },
    {timeout: 60_000},
  );
});
