// An identity provider that provisions groups over SCIM: they decide the roles of people, at each request and on every host.
import {openSession, openTokenStore, startHttpServer, type HttpServer} from '@lumenflow/host';
import type {SignInSettings} from '@lumenflow/schemas';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {clientOf, openHttpStage, type Client, type HttpStage} from '../../support/http-stage.ts';
import {startTestIssuer, type TestIssuer} from '../../support/test-issuer.ts';

const url = 'http://127.0.0.1:1';
const secret = 'a'.repeat(43);
let issuer: TestIssuer;
let http: HttpStage;
let other: HttpServer;
let scimToken: string;
beforeEach(async () => {
  issuer = await startTestIssuer([`${url}/signed-in`]);
  const roles: SignInSettings['roles'] = {admin: ['Platform'], operator: ['Staff']};
  const sign_in: SignInSettings = {...issuer.settings, url, directory: 'scim', groups_from: 'scim', roles};
  http = await openHttpStage({workspace: {sign_in}, server: {env: issuer.env}});
  const runtime = await http.stage.open({workspace: {sign_in}});
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
  return {status: response.status, body: text === '' ? undefined : JSON.parse(text)};
}

const user = async (userName: string): Promise<string> => (await scim('POST', '/Users', {userName})).body.id;

const group = async (displayName: string, ...ids: readonly string[]): Promise<string> =>
  (await scim('POST', '/Groups', {displayName, members: ids.map((value) => ({value}))})).body.id;

const patch = (id: string, ...Operations: readonly object[]): Promise<ScimAnswer> =>
  scim('PATCH', `/Groups/${id}`, {schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations});

const members = async (id: string): Promise<readonly string[]> =>
  (await scim('GET', `/Groups/${id}`)).body.members.map(({value}: {readonly value: string}) => value);

async function signIn(subject: string): Promise<Client | string> {
  const anonymous = http.client('');
  const begun = await anonymous.post('/v1/sign-in', {secret});
  const {search} = await issuer.signIn(begun.body.url, subject);
  const {body} = await anonymous.post('/v1/sign-in/finish', {secret, query: search});
  return body.error ? body.error.code : http.client(body.token);
}

test('the role follows the groups, on every host, without another sign-in', async () => {
  const lea = await user('lea');
  expect(await signIn('s-1')).toBe('SIGN_IN_DENIED');
  const staff = await group('Staff', lea);
  const client = await signIn('s-1');
  if (typeof client === 'string') throw new Error(client);
  const elsewhere = await clientOf(other.url, client.token);
  expect((await elsewhere.get('/v1/caller')).body).toMatchObject({name: 'lea', role: 'operator'});
  // The claim of the issuer says `staff`: it has no meaning here.
  const platform = await group('Platform');
  await patch(platform, {op: 'add', path: 'members', value: [{value: lea}]});
  expect((await elsewhere.get('/v1/caller')).body.role).toBe('admin');
  await patch(platform, {op: 'remove', path: `members[value eq "${lea}"]`});
  expect((await elsewhere.get('/v1/caller')).body.role).toBe('operator');
  await scim('DELETE', `/Groups/${staff}`);
  expect((await elsewhere.get('/v1/caller')).status).toBe(401);
  const events = await http.runtime.events.read({});
  expect(events.filter(({type}) => type === 'group_provisioned')).toHaveLength(5);
  expect(http.errors).toEqual([]);
});

test('members change as providers send it', async () => {
  const [a, b, c] = [await user('ann'), await user('bob'), await user('cat')];
  const id = await group('Staff', a);
  // Entra ID.
  await patch(id, {op: 'Add', path: 'members', value: [{value: b}]});
  expect(await members(id)).toEqual([a, b]);
  await patch(id, {op: 'Remove', path: 'members', value: [{value: a}]});
  expect(await members(id)).toEqual([b]);
  await patch(id, {op: 'Replace', path: 'displayName', value: 'People'}, {op: 'Add', path: 'externalId', value: 'x-1'});
  // Okta.
  await patch(
    id,
    {op: 'replace', value: {id, displayName: 'Staff'}},
    {op: 'replace', path: 'members', value: [{value: c}]},
  );
  expect((await scim('GET', `/Groups/${id}`)).body).toMatchObject({displayName: 'Staff', externalId: 'x-1'});
  expect(await members(id)).toEqual([c]);
  await patch(
    id,
    {op: 'add', path: 'members', value: {value: a}},
    {op: 'remove', path: 'members', value: [{value: a}]},
  );
  expect(await members(id)).toEqual([c]);
  await scim('PUT', `/Groups/${id}`, {displayName: 'Staff', members: [{value: a}, {value: b}, {value: a}]});
  expect(await members(id)).toEqual([a, b]);
  await scim('PUT', `/Groups/${id}`, {displayName: 'Staff'});
  expect(await members(id)).toEqual([a, b]);
  await patch(id, {op: 'remove', path: 'members'});
  expect(await members(id)).toEqual([]);
});

test('the id at the provider can be removed, in each of the ways of SCIM', async () => {
  const {body: made} = await scim('POST', '/Groups', {displayName: 'Staff', externalId: 'x-1'});
  const shown = async (): Promise<unknown> => (await scim('GET', `/Groups/${made.id}`)).body.externalId;
  const externalIds = async (): Promise<number> =>
    (await scim('GET', `/Groups?filter=${encodeURIComponent('externalId eq "x-1"')}`)).body.totalResults;
  await scim('PUT', `/Groups/${made.id}`, {displayName: 'Staff'});
  expect(await shown()).toBe('x-1');
  for (const operation of [
    {op: 'remove', path: 'externalId'},
    {op: 'Remove', path: 'urn:ietf:params:scim:schemas:core:2.0:Group:externalId'},
    {op: 'replace', path: 'externalId', value: null},
    {op: 'replace', value: {externalId: null}},
  ]) {
    await patch(made.id, {op: 'add', path: 'externalId', value: 'x-1'});
    expect([await shown(), await externalIds()]).toEqual(['x-1', 1]);
    expect((await patch(made.id, operation)).status).toBe(200);
    expect([await shown(), await externalIds()]).toEqual([undefined, 0]);
  }
  await patch(made.id, {op: 'remove', path: 'externalId'}, {op: 'add', path: 'externalId', value: 'x-2'});
  expect(await shown()).toBe('x-2');
  await scim('PUT', `/Groups/${made.id}`, {displayName: 'Staff', externalId: null});
  expect(await shown()).toBeUndefined();
});

test('changes of two hosts add up', async () => {
  const [a, b] = [await user('ann'), await user('bob')];
  const id = await group('Staff');
  const elsewhere = async (value: string): Promise<void> => {
    const operations = {Operations: [{op: 'add', path: 'members', value: [{value}]}]};
    await fetch(`${other.url}/scim/v2/Groups/${id}`, {
      method: 'PATCH',
      headers: {authorization: `Bearer ${scimToken}`, 'content-type': 'application/scim+json'},
      body: JSON.stringify(operations),
    });
  };
  await Promise.all([elsewhere(a), patch(id, {op: 'add', path: 'members', value: [{value: b}]})]);
  expect([...(await members(id))].toSorted()).toEqual([a, b].toSorted());
});

test('groups are found, listed and removed; mistakes are reported', async () => {
  const id = await group('Staff', await user('ann'));
  await group('Platform');
  const list = async (query: string): Promise<ScimAnswer> => await scim('GET', `/Groups?${query}`);
  const found = await list(`filter=${encodeURIComponent('displayName eq "staff"')}&excludedAttributes=members`);
  expect(found.body).toMatchObject({totalResults: 1, Resources: [{id}]});
  expect(found.body.Resources[0].members).toBeUndefined();
  expect((await list('startIndex=2&count=1')).body).toMatchObject({totalResults: 2, itemsPerPage: 1});
  expect((await list(`filter=${encodeURIComponent('members eq "x"')}`)).body.scimType).toBe('invalidFilter');
  expect(await scim('POST', '/Groups', {displayName: 'STAFF'})).toMatchObject({
    status: 409,
    body: {scimType: 'uniqueness'},
  });
  for (const body of [{}, {displayName: ''}, {displayName: 'x', members: [{}]}, {displayName: 'x', externalId: 7}])
    expect((await scim('POST', '/Groups', body)).status).toBe(400);
  for (const operation of [
    {op: 'move'},
    {op: 'add', path: 7},
    {op: 'add', value: 'x'},
    {op: 'add', path: 'members', value: ['x']},
    {op: 'remove', path: 'displayName'},
    {op: 'replace', path: 'displayName', value: ''},
    {op: 'remove', path: 'members[display eq "x"]'},
    {op: 'add', path: 'members[value eq "x"]', value: {}},
  ])
    expect((await patch(id, operation)).status).toBe(400);
  expect((await scim('PATCH', `/Groups/${id}`, {})).status).toBe(400);
  expect((await patch(id, {op: 'add', path: 'description', value: 'x'})).status).toBe(200);
  expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204);
  for (const method of ['GET', 'DELETE']) expect((await scim(method, `/Groups/${id}`)).status).toBe(404);
  expect((await patch(id, {op: 'remove', path: 'members'})).status).toBe(404);
  expect((await scim('GET', '/Groups', undefined, http.admin.token)).status).toBe(403);
  expect((await scim('GET', '/ResourceTypes')).body.Resources.map(({id: name}: {id: string}) => name)).toEqual([
    'User',
    'Group',
  ]);
});

test('a monitor reads the metrics and nothing else', async () => {
  const monitor = http.client(await http.tokens.issue({name: 'prometheus', role: 'monitor'}));
  expect((await monitor.get('/metrics')).status).toBe(200);
  for (const path of [
    '/v1/caller',
    '/v1/approvals',
    '/v1/tasks',
    '/v1/people',
    '/openapi.json',
    '/scim/v2/Users',
    '/mcp',
  ])
    expect((await monitor.get(path)).body.error).toMatchObject({code: 'ROLE_DENIED'});
  expect((await http.agent.get('/metrics')).status).toBe(403);
});
