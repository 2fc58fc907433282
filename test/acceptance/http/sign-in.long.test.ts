// People who sign in at a real issuer, over HTTP.
import {openSession, openTokenStore, startHttpServer} from '@lumenflow/host';
import type {DispatchOutcome, DispatchRequest} from '@lumenflow/kernel';
import type {SignInSettings} from '@lumenflow/schemas';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {openHttpStage, type Answer, type Client, type HttpStage} from '../../support/http-stage.ts';
import {startTestIssuer, type TestIssuer} from '../../support/test-issuer.ts';

const url = 'http://127.0.0.1:1';
const secret = 'a'.repeat(43);

let issuer: TestIssuer;
let http: HttpStage;
beforeEach(async () => {
  issuer = await startTestIssuer([`${url}/signed-in`]);
  http = await openHttpStage({
    workspace: {sign_in: settings()},
    server: {env: issuer.env},
    scripts: {'files:write': untilCancelled},
  });
});
afterEach(async () => {
  await http.close();
  await issuer.close();
});

function settings(): SignInSettings {
  return {...issuer.settings, url, roles: {admin: ['platform'], operator: ['staff']}};
}

let onWrite: (request: DispatchRequest) => void;

async function untilCancelled(request: DispatchRequest): Promise<DispatchOutcome> {
  await new Promise<void>((resolve) => {
    request.signal?.addEventListener('abort', () => resolve());
    onWrite(request);
  });
  return {output: {success: false, error: {code: 'TOOL_CANCELLED', message: 'cancelled'}}};
}

const anonymous = (): Client => http.client('');

/** What the issuer returns to the browser. */
async function atIssuer(subject: string, key = secret): Promise<string> {
  const begun = await anonymous().post('/v1/sign-in', {secret: key});
  expect(begun.status).toBe(200);
  return (await issuer.signIn(begun.body.url, subject)).search;
}

async function finish(query: string, key = secret): Promise<Answer> {
  return await anonymous().post('/v1/sign-in/finish', {secret: key, query});
}

async function signedIn(subject: string): Promise<Client> {
  const finished = await finish(await atIssuer(subject));
  expect(finished.body).toMatchObject({token: expect.stringMatching(/^lfp_[\w-]{43}$/)});
  return http.client(finished.body.token);
}

test('a person has the role of the groups, and the records name the person', async () => {
  const lea = await signedIn('s-1');
  const person = {issuer: issuer.url, subject: 's-1', display_name: 'lea Example'};
  expect((await lea.get('/v1/caller')).body).toEqual({name: 'lea', role: 'operator', person});
  const called = await lea.post('/v1/tools/files:read', {input: {}});
  const {started} = (await lea.get(`/v1/evidence/${called.body.metadata.receipt_id}`)).body;
  expect(started).toMatchObject({by: 'lea', person, surface: 'http', role: 'operator'});
  expect((await lea.get('/v1/people')).body.error.code).toBe('ROLE_DENIED');
  const max = await signedIn('s-2');
  expect((await max.get('/v1/people')).body.people).toMatchObject([{name: 'lea', person}, {name: 'max'}]);
  const events = JSON.stringify(await http.runtime.events.read({}));
  expect(events).not.toContain(lea.token);
  expect(http.errors).toEqual([]);
});

test('the calls of a program name the person that started it', async () => {
  const lea = await signedIn('s-1');
  const program = {name: 'read', steps: [{call: 'files:read', args: {}}]};
  expect((await lea.post('/v1/programs', {program})).status).toBe(200);
  const {body} = await lea.get('/v1/evidence?tool_name=files:read');
  const [{started} = {started: undefined}] = body.receipts as readonly {readonly started: unknown}[];
  expect(started).toMatchObject({by: 'lea', person: {issuer: issuer.url, subject: 's-1'}});
});

test('events of tasks name the person who acted, and those of programs name none', async () => {
  const lea = await signedIn('s-1');
  await lea.post('/v1/tasks', {id: 'by-lea', lane_id: 'core'});
  for (const verb of ['claim', 'block', 'unblock', 'release', 'claim', 'complete']) {
    const body = verb === 'block' || verb === 'release' ? {reason: 'later'} : {};
    expect([verb, (await lea.post(`/v1/tasks/by-lea/${verb}`, body)).status]).toEqual([verb, 200]);
  }
  await lea.post('/v1/tools/files:read', {input: {}});
  const program = http.client(await http.tokens.issue({name: 'program', role: 'agent'}));
  await program.post('/v1/tasks', {id: 'by-program', lane_id: 'core'});
  const ofTasks = (await http.runtime.events.read({})).filter(({type}) => type.startsWith('task_'));
  const people = (by: string): readonly string[] =>
    ofTasks
      .filter(({actor}) => actor === by)
      .map((event) => `${event.type.slice(5)} ${'person' in event ? (event.person?.subject ?? '-') : '-'}`);
  const own = ['created', 'claimed', 'blocked', 'unblocked', 'released', 'claimed', 'completed'];
  expect(people('lea')).toEqual([...own, 'created', 'claimed', 'completed'].map((end) => `${end} s-1`));
  expect(people('program')).toEqual(['created -']);
});

test('an answer is used once, and only with the secret of its tab', async () => {
  const query = await atIssuer('s-1');
  expect((await finish(query, 'b'.repeat(43))).body.error).toMatchObject({
    code: 'SIGN_IN_DENIED',
    message: "the issuer's answer does not belong to this sign-in: start it again",
  });
  expect((await finish(query)).status).toBe(200);
  expect((await finish(query)).body.error.code).toBe('SIGN_IN_DENIED');
  const other = new URLSearchParams(query);
  other.set('iss', 'https://other.example');
  expect((await finish(`?${other.toString()}`)).body.error.code).toBe('SIGN_IN_DENIED');
  expect((await finish('')).body.error.code).toBe('SIGN_IN_DENIED');
  expect((await finish('?error=access_denied&state=x')).status).toBe(403);
});

test('people without a group, with the name of a token or with the name of another person are refused', async () => {
  expect((await finish(await atIssuer('s-3'))).body.error).toMatchObject({
    code: 'SIGN_IN_DENIED',
    message: '`eve` is in no group that `sign_in.roles` of workspace.yaml names: ask an admin',
  });
  issuer.people.set('s-4', {name: 'Olga', groups: ['staff']});
  expect((await finish(await atIssuer('s-4'))).body.error.code).toBe('NAME_TAKEN');
  await signedIn('s-1');
  issuer.people.set('s-5', {name: 'LEA', groups: ['platform']});
  expect((await finish(await atIssuer('s-5'))).body.error).toMatchObject({code: 'NAME_TAKEN'});
});

test('a redirect goes only to this server, whatever the request says', async () => {
  const response = await fetch(`${http.server.url}/v1/sign-in`, {
    method: 'POST',
    headers: {'content-type': 'application/json', host: 'evil.example', 'x-forwarded-host': 'evil.example'},
    body: JSON.stringify({secret}),
  });
  const {url: address} = (await response.json()) as {readonly url: string};
  expect(new URL(address).searchParams.get('redirect_uri')).toBe(`${url}/signed-in`);
  expect(response.headers.getSetCookie()).toEqual([]);
  const foreign = await fetch(`${http.server.url}/v1/sign-in`, {
    method: 'POST',
    headers: {'content-type': 'application/json', origin: 'https://evil.example'},
    body: JSON.stringify({secret}),
  });
  expect(foreign.status).toBe(403);
  expect((await anonymous().post('/v1/sign-in', {secret: 'short'})).status).toBe(400);
});

test('a sign-in ends when the person signs out, when an admin says so, and when its time is over', async () => {
  const [first, second, max] = [await signedIn('s-1'), await signedIn('s-1'), await signedIn('s-2')];
  expect((await first.post('/v1/sign-out', {})).status).toBe(200);
  expect((await first.get('/v1/caller')).status).toBe(401);
  expect((await second.get('/v1/caller')).status).toBe(200);
  expect((await max.post('/v1/people/LEA/sign-out', {reason: 'left'})).body.name).toBe('lea');
  expect((await second.get('/v1/caller')).status).toBe(401);
  expect((await max.post('/v1/people/nobody/sign-out', {})).body.error.code).toBe('PERSON_NOT_FOUND');
  expect((await http.operator.post('/v1/sign-out', {})).body.error.code).toBe('PERSON_NOT_FOUND');
  const again = await signedIn('s-1');
  expect((await again.get('/v1/caller')).status).toBe(200);
  http.stage.clock.move(12 * 3_600_000);
  expect((await again.get('/v1/caller')).status).toBe(401);
});

test('a sign-in that one host ends is refused by another host, and its streams end', async () => {
  const runtime = await http.stage.open({workspace: {sign_in: settings()}});
  const tokens = openTokenStore(http.root);
  const host = {runtime, workspaceRoot: http.root, openSession: openSession.bind(undefined, runtime)};
  const other = await startHttpServer(host, {tokens, version: '0.0.0', env: issuer.env});
  try {
    const lea = await signedIn('s-1');
    const headers = {authorization: `Bearer ${lea.token}`};
    const stream = await fetch(`${other.url}/v1/events`, {headers});
    const reader = stream.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await lea.post('/v1/sign-out', {});
    expect((await fetch(`${other.url}/v1/caller`, {headers})).status).toBe(401);
    const rest = async (): Promise<void> => {
      while ((await reader?.read().catch(() => undefined))?.done === false);
    };
    await rest();
  } finally {
    await other.close();
  }
});

test('a call that runs is cancelled when its person or its token is out', async () => {
  const lea = await signedIn('s-1');
  const agent = http.client(await http.tokens.issue({name: 'cal', role: 'agent'}));
  for (const [client, end] of [
    [lea, () => lea.post('/v1/sign-out', {})],
    [agent, () => http.tokens.revoke('cal')],
  ] as const) {
    const dispatched = new Promise<DispatchRequest>((resolve) => {
      onWrite = resolve;
    });
    const ended = expect(client.post('/v1/tools/files:write', {input: {path: 'a'}})).rejects.toThrow(Error);
    const {receipt_id} = await dispatched;
    await end();
    await ended;
    await vi.waitFor(async () => {
      expect((await http.runtime.evidence.receipt(receipt_id))?.finished?.error_code).toBe('TOOL_CANCELLED');
    });
  }
});

test('without the issuer nobody signs in; tokens and earlier sign-ins still work', async () => {
  const lea = await signedIn('s-1');
  await issuer.close();
  const query = '?code=x&state=y';
  expect((await finish(query)).body.error.code).toMatch(/^SIGN_IN_/);
  expect((await lea.get('/v1/caller')).status).toBe(200);
  expect((await http.agent.get('/v1/caller')).status).toBe(200);
  const fresh = await openHttpStage({workspace: {sign_in: settings()}, server: {env: issuer.env}});
  try {
    const begun = await fresh.client('').post('/v1/sign-in', {secret});
    expect(begun.body.error).toEqual({
      code: 'SIGN_IN_UNAVAILABLE',
      message: 'the issuer cannot be used: ask an operator to read the log',
    });
    expect((await fresh.client('').get('/v1/sign-in')).body).toEqual({offered: true});
    expect(fresh.errors).toHaveLength(1);
  } finally {
    await fresh.close();
  }
});

test('a workspace without `sign_in` offers none', async () => {
  const plain = await openHttpStage();
  try {
    expect((await plain.client('').get('/v1/sign-in')).body).toEqual({offered: false});
    expect((await plain.client('').post('/v1/sign-in', {secret})).body.error.code).toBe('SIGN_IN_UNAVAILABLE');
    expect((await plain.client(`lfp_${secret}`).get('/v1/caller')).status).toBe(401);
  } finally {
    await plain.close();
  }
});
