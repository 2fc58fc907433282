// Passkeys of two hosts that share a PostgreSQL database: what one host records counts on the other one immediately.
import {openPostgresState} from '@lumenflow/integration-postgres';
import {createPostgresServer, noServer, type PostgresServer} from '@lumenflow/integration-postgres/testing';
import {openTokenStore, startHttpServer, type HttpServer} from '@lumenflow/host';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {clientOf, type Client} from '../../support/http-stage.ts';
import {passkeyOrigin, SoftwarePasskey} from '../../support/software-passkey.ts';
import {echoFiles, echoPin} from './echo-pack.fixture.ts';

interface Callers {
  readonly agent: Client;
  readonly operator: Client;
}

const say = (text: string, task: object = {}) => ({...task, input: {text}});

describe.skipIf(noServer !== undefined)('two hosts on one database', () => {
  let database: PostgresServer;
  let here: Callers;
  let there: Callers;
  const workspaces: HostWorkspace[] = [];
  const servers: HttpServer[] = [];

  async function startOn(url: string): Promise<Callers> {
    const asks = {id: 'ask', trigger: 'on_tool_request', decision: 'approval_required'} as const;
    const rules = [{...asks, when: {tool: 'echo:say'}, approvers: {passkey: true as const}}];
    const workspace = makeHostWorkspace({
      files: echoFiles,
      spec: {
        packs: [echoPin],
        approvals: {url: passkeyOrigin},
        policies: {default_decision: 'allow', rules},
      },
    });
    workspaces.push(workspace);
    const tokens = openTokenStore(workspace.root);
    const host = await workspace.start({state: await openPostgresState({url})});
    const server = await startHttpServer(host, {tokens, version: '0.0.0'});
    servers.push(server);
    // The first client reads the API's description.
    const operator = await clientOf(server.url, await tokens.issue({name: 'olga', role: 'operator'}));
    return {operator, agent: await clientOf(server.url, await tokens.issue({name: 'ann', role: 'agent'}))};
  }
  beforeAll(async () => {
    database = await createPostgresServer();
    const url = await database.createDatabase();
    here = await startOn(url);
    there = await startOn(url);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await Promise.all(workspaces.map((workspace) => workspace.remove()));
    await database.remove();
  });

  async function enrol(): Promise<SoftwarePasskey> {
    const passkey = new SoftwarePasskey();
    const created = passkey.create({challenge: 'lumenflow-passkey-v1\nolga\n\n\n'});
    expect((await here.operator.post('/v1/passkeys', {label: 'a key', ...created})).status).toBe(200);
    return passkey;
  }

  /** Asked here; signed and approved there. */
  async function approve(text: string, passkey: SoftwarePasskey, task: object = {}): Promise<unknown> {
    const asked = await here.agent.post('/v1/tools/echo:say', say(text, task));
    const path = `/v1/approvals/${asked.body.request_id}`;
    const {binding, signing} = (await there.operator.get(path)).body;
    const keys = (signing.passkeys as {passkey_id: string}[]).map(({passkey_id}) => passkey_id);
    const challenge = `lumenflow-approval-v1\n${asked.body.request_id}\n${binding}\n`;
    const {body} = await there.operator.post(path, {approved: true, assertion: passkey.sign({challenge})});
    return {isOffered: keys.includes(passkey.passkey_id), code: body.error?.code, state: body.state};
  }

  test('a passkey that was enrolled on one signs on the other immediately, and not after it was removed', async () => {
    const passkey = await enrol();
    expect(await approve('enrolled', passkey)).toEqual({isOffered: true, state: 'approved'});
    const headers = {authorization: `Bearer ${here.operator.token}`};
    const address = `${servers[0]?.url}/v1/passkeys/${passkey.passkey_id}`;
    expect((await fetch(address, {method: 'DELETE', headers})).status).toBe(200);
    expect(await approve('removed', passkey)).toEqual({isOffered: false, code: 'PASSKEY_INVALID'});
  });

  test('of calls that use one approval on both at the same moment, exactly one runs', async () => {
    const passkey = await enrol();
    const {task_id} = (await here.agent.post('/v1/sessions', {})).body as {task_id: string};
    for (const text of ['1', '2', '3', '4', '5', '6']) {
      expect(await approve(text, passkey, {task_id})).toMatchObject({state: 'approved'});
      const callers = [here.agent, there.agent, here.agent, there.agent];
      const calls = await Promise.all(callers.map((agent) => agent.post('/v1/tools/echo:say', say(text, {task_id}))));
      const [ran, ...refused] = calls.map(({status}) => status).toSorted((a, b) => a - b);
      expect(ran).toBe(200);
      // The approval was used in the meantime, or the call needs one of its own.
      for (const status of refused) expect([202, 403]).toContain(status);
    }
  });
});
