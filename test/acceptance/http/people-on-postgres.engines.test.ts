// People, groups and notifications on three hosts that share a PostgreSQL database.
import {openPostgresState} from '@lumenflow/integration-postgres';
import {createPostgresServer, noServer, type PostgresServer} from '@lumenflow/integration-postgres/testing';
import {openTokenStore, startHttpServer, startNotifier, type Host, type HttpServer} from '@lumenflow/host';
import type {SignInSettings} from '@lumenflow/schemas';
import {once} from 'node:events';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {clientOf} from '../../support/http-stage.ts';
import {startTestIssuer, type TestIssuer} from '../../support/test-issuer.ts';

const url = 'http://127.0.0.1:1';
const secret = 'a'.repeat(43);

describe.skipIf(noServer !== undefined)('three hosts on one database', () => {
  let database: PostgresServer;
  let issuer: TestIssuer;
  let receiver: Server;
  let received: string[];
  const workspaces: HostWorkspace[] = [];
  const servers: HttpServer[] = [];
  const hosts: Host[] = [];
  beforeAll(async () => {
    database = await createPostgresServer();
    const connection = await database.createDatabase();
    issuer = await startTestIssuer([`${url}/signed-in`]);
    received = [];
    receiver = createServer((request, response) => {
      received.push(String(request.headers['webhook-id']));
      request.resume().once('end', () => response.writeHead(204).end());
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const roles: SignInSettings['roles'] = {operator: ['Staff', 'Team']};
    for (let count = 0; count < 3; count += 1) {
      const workspace = makeHostWorkspace({
        files: {'README.md': 'Hello\n'},
        firstParty: ['software-delivery'],
        spec: {
          sign_in: {...issuer.settings, url, directory: 'scim', groups_from: 'scim', roles},
          policies: {
            default_decision: 'allow',
            rules: [{id: 'ask', trigger: 'on_tool_request', decision: 'approval_required', when: {tool: 'file:write'}}],
          },
          approvals: {notify: [{id: 'team', url: hook}]},
        },
      });
      workspaces.push(workspace);
      const host = await workspace.start({state: await openPostgresState({url: connection})});
      hosts.push(host);
      servers.push(
        await startHttpServer(host, {tokens: openTokenStore(workspace.root), version: '0.0.0', env: issuer.env}),
      );
    }
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await Promise.all(workspaces.map((workspace) => workspace.remove()));
    await issuer.close();
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
    await database.remove();
  });

  test('a sign-in, its groups and its end are the same on all, and each message is sent once', async () => {
    const [one, two] = servers;
    const [first] = hosts;
    if (!one || !two || !first) throw new Error('two hosts are needed');
    const provisioned = await first.runtime.people.provision({name: 'lea', user_name: 'lea', active: true, by: 'idp'});
    if (!provisioned.success) throw new Error(provisioned.error.message);
    const members = [provisioned.data.user_id];
    await first.runtime.people.provisionGroup({display_name: 'Staff', members, by: 'idp'});
    // The first client reads the API's description, which needs a token.
    const [{root} = {root: ''}] = workspaces;
    await clientOf(one.url, await openTokenStore(root).issue({name: 'ada', role: 'admin'}));
    const anonymous = await clientOf(one.url, '');
    const begun = await anonymous.post('/v1/sign-in', {secret});
    const {search} = await issuer.signIn(begun.body.url, 's-1');
    const finished = await (await clientOf(two.url, '')).post('/v1/sign-in/finish', {secret, query: search});
    expect(finished.body).toMatchObject({name: 'lea', role: 'operator'});
    const [here, there] = [await clientOf(one.url, finished.body.token), await clientOf(two.url, finished.body.token)];
    expect((await here.get('/v1/caller')).body.name).toBe('lea');
    const onError = (error: unknown): void => expect.unreachable(String(error));
    const notifiers = hosts.map(({runtime}) => startNotifier(runtime, {env: {}, intervalMs: 50, onError}));
    await Promise.all(
      [1, 2, 3].map((n) => here.post('/v1/tools/file:write', {input: {path: `${n}.txt`, content: 'x'}})),
    );
    await vi.waitFor(() => expect(received).toHaveLength(3), {timeout: 60_000});
    await Promise.all(notifiers.map((notifier) => notifier.close()));
    expect(new Set(received).size).toBe(3);
    await there.post('/v1/sign-out', {});
    expect((await here.get('/v1/caller')).status).toBe(401);
    expect(received).toHaveLength(3);
  });

  test('a person that the provider deactivates at one host is out of every host, with what is open', async () => {
    const [one, two, three] = servers;
    const [{root} = {root: ''}] = workspaces;
    if (!one || !two || !three) throw new Error('three hosts are needed');
    const idp = await openTokenStore(root).issue({name: 'idp', role: 'directory'});
    const scim = async (method: string, path: string, body: object): Promise<string> => {
      const response = await fetch(`${one.url}/scim/v2${path}`, {
        method,
        headers: {authorization: `Bearer ${idp}`, 'content-type': 'application/scim+json'},
        body: JSON.stringify(body),
      });
      expect(response.ok, `${method} ${path}`).toBe(true);
      return ((await response.json()) as {id: string}).id;
    };
    const id = await scim('POST', '/Users', {userName: 'max'});
    await scim('POST', '/Groups', {displayName: 'Team', members: [{value: id}]});
    await clientOf(one.url, await openTokenStore(root).issue({name: 'ida', role: 'admin'}));
    const anonymous = await clientOf(one.url, '');
    const {search} = await issuer.signIn((await anonymous.post('/v1/sign-in', {secret})).body.url, 's-2');
    const {token} = (await anonymous.post('/v1/sign-in/finish', {secret, query: search})).body;
    const headers = {authorization: `Bearer ${token}`};
    // The dashboard keeps these streams open; the API is asked with the same token.
    const open = [two, three].flatMap(({url: host}) =>
      ['/v1/events', '/v1/calls/live'].map(async (path) => {
        const response = await fetch(host + path, {headers});
        expect(response.status).toBe(200);
        return response.body?.getReader();
      }),
    );
    const readers = await Promise.all(open);
    await scim('PATCH', `/Users/${id}`, {Operations: [{op: 'replace', path: 'active', value: false}]});
    await Promise.all(
      [one, two, three].map(async ({url: host}) => {
        const isOut = async (): Promise<void> => expect((await fetch(`${host}/v1/caller`, {headers})).status).toBe(401);
        await vi.waitFor(isOut, {timeout: 60_000});
      }),
    );
    for (const reader of readers) while ((await reader?.read().catch(() => undefined))?.done === false);
  });
});
