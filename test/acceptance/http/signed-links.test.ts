// Signed links by which a person answers one request, as a browser follows them.
import {openLinks, startNotifier, type HttpServerOptions, type LinkService} from '@lumenflow/host';
import type {PolicyRule, WorkspaceSpec} from '@lumenflow/schemas';
import {createServer} from 'node:http';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {afterEach, expect, onTestFinished, test, vi} from 'vitest';
import {openHttpStage, type HttpStage} from '../../support/http-stage.ts';

type ApprovalSettings = NonNullable<WorkspaceSpec['approvals']>;

const env = {LINK_KEY: Buffer.alloc(32, 3).toString('base64')};
const approvals = {
  url: 'https://lumenflow.example',
  links: {key_env: 'LINK_KEY'},
  groups: {leads: ['lea', 'max']},
} satisfies ApprovalSettings;

let http: HttpStage;
afterEach(() => http.close());

async function open(approvers?: PolicyRule['approvers'], more: Partial<ApprovalSettings> = {}): Promise<LinkService> {
  const rule: PolicyRule = {
    id: 'ask',
    trigger: 'on_tool_request',
    decision: 'approval_required',
    reason: 'a person <b>looks</b>',
    when: {tool: 'files:write'},
    ...(approvers && {approvers}),
  };
  const server: Partial<HttpServerOptions> = {env};
  const policies = {default_decision: 'allow' as const, rules: [rule]};
  http = await openHttpStage({workspace: {policies, approvals: {...approvals, ...more}}, server});
  const links = openLinks({spec: http.runtime.workspace.spec, env, now: Date.now});
  if (!links.ok) throw new Error(links.problem);
  return links.value;
}

async function ask(): Promise<string> {
  const context = await http.runtime.startTask();
  const called = await http.runtime.executeTool('files:write', {path: '<script>alert(1)</script>\u202e'}, context);
  return String(called.error?.details?.['request_id']);
}

const state = (): string | undefined => http.runtime.listApprovals()[0]?.state;

interface Shown {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
  readonly cookie: string;
  readonly fields: Readonly<Record<string, string>>;
}

async function show(link: string, cookie = ''): Promise<Shown> {
  const response = await fetch(`${http.server.url}/answer${new URL(link).search}`, {headers: {cookie}});
  const html = await response.text();
  const fields = Object.fromEntries(
    [...html.matchAll(/name="(link|proof)" value="([^"]*)"/g)].map(([, k, v]) => [k, v]),
  );
  const given = /^[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0] ?? cookie;
  return {status: response.status, html, headers: response.headers, cookie: given, fields};
}

async function send(
  {fields, cookie}: Pick<Shown, 'fields' | 'cookie'>,
  more: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<{readonly status: number; readonly html: string}> {
  const body = new URLSearchParams({...fields, ...more});
  const response = await fetch(`${http.server.url}/answer`, {method: 'POST', body, headers: {cookie, ...headers}});
  return {status: response.status, html: await response.text()};
}

test('a link shows the exact call, decides nothing by itself, and answers once for its person', async () => {
  const links = await open();
  const request_id = await ask();
  const link = links.make(request_id, 'lea');
  expect(link.startsWith('https://lumenflow.example/answer?link=')).toBe(true);
  const page = await show(link);
  expect(page).toMatchObject({status: 200});
  expect(page.html).toContain('You answer as <b>lea</b>');
  expect(page.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page.html).toContain('\\u{202e}');
  expect(page.html).not.toMatch(/<script|<b>looks|\u202e/);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
  expect(page.headers.get('cache-control')).toBe('no-store');
  await show(link);
  expect((await fetch(`${http.server.url}/answer${new URL(link).search}`, {method: 'HEAD'})).status).toBe(200);
  expect(state()).toBe('pending');
  expect(await send(page, {answer: 'approve', reason: 'fine'})).toMatchObject({status: 200});
  expect(http.runtime.listApprovals()).toMatchObject([
    {
      state: 'approved',
      resolved_by: 'lea',
      reason: 'fine',
      channel: 'link',
      used_links: [expect.stringMatching(/^lnk-/)],
    },
  ]);
  expect((await send(page, {answer: 'reject'})).status).toBe(409);
  expect(await show(link)).toMatchObject({status: 410, html: expect.stringContaining('approved, by lea')});
  expect(http.errors).toEqual([]);
});

test('a form counts only from the browser that was shown it, and not from another site', async () => {
  const links = await open();
  const link = links.make(await ask(), 'lea');
  const page = await show(link);
  const other = await show(link);
  const answer = {answer: 'approve'};
  for (const stolen of [
    {fields: page.fields, cookie: ''},
    {fields: page.fields, cookie: other.cookie},
    {fields: {...page.fields, proof: ''}, cookie: page.cookie},
    {fields: {link: page.fields['link'] ?? ''}, cookie: page.cookie},
  ])
    expect(await send(stolen, answer)).toMatchObject({status: 403});
  expect((await send(page, answer, {origin: 'https://evil.example'})).status).toBe(403);
  expect((await send(page, answer, {'content-type': 'text/plain'})).status).toBe(415);
  expect((await send(page, {...answer, reason: 'x'.repeat(20_000)})).status).toBe(413);
  expect((await send(page, {answer: 'maybe'})).status).toBe(400);
  expect(state()).toBe('pending');
});

test('two links that one browser opens from elsewhere can both be answered', async () => {
  const links = await open({count: 2});
  const request_id = await ask();
  const one = await show(links.make(request_id, 'lea'));
  const two = await show(links.make(request_id, 'max'), one.cookie);
  expect(two.cookie).toBe(one.cookie);
  expect(two.headers.get('set-cookie')).not.toContain('SameSite=Strict');
  expect((await send(one, {answer: 'approve'})).status).toBe(200);
  expect((await send(two, {answer: 'approve'})).status).toBe(200);
  expect(state()).toBe('approved');
});

test('of one link that is sent twice at the same time, one answer counts', async () => {
  const links = await open({by: ['group:leads'], count: 2});
  const link = links.make(await ask(), 'group:leads');
  const [one, two] = [await show(link), await show(link)];
  const answers = await Promise.all([
    send(one, {answer: 'approve', name: 'lea'}),
    send(two, {answer: 'approve', name: 'max'}),
  ]);
  expect(new Set(answers.map(({status}) => status))).toEqual(new Set([200, 409]));
  expect(http.runtime.listApprovals()[0]).toMatchObject({state: 'pending', answers: [expect.anything()]});
});

test('after a withdrawal, a page that was open before answers nothing', async () => {
  const links = await open();
  const request_id = await ask();
  const page = await show(links.make(request_id, 'lea'));
  await http.runtime.withdrawApproval({request_id, by: 'agent', reason: 'no need'});
  expect(await send(page, {answer: 'approve'})).toMatchObject({status: 409});
  expect(state()).toBe('withdrawn');
  expect(await show(links.make(request_id, 'lea'))).toMatchObject({status: 410});
});

test('a changed, foreign or expired link is refused', async () => {
  const links = await open();
  const request_id = await ask();
  const link = links.make(request_id, 'lea');
  const other = openLinks({
    spec: http.runtime.workspace.spec,
    env: {LINK_KEY: Buffer.alloc(32, 4).toString('base64')},
    now: Date.now,
  });
  const [payload = '', signature = ''] = (new URL(link).searchParams.get('link') ?? '').split('.');
  const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('lea', 'max')).toString('base64url');
  const base = 'https://lumenflow.example/answer?link=';
  const wrong = [
    `${base}${forged}.${signature}`,
    `${base}${payload}.${signature.slice(0, -1)}`,
    `${base}${payload}`,
    base,
    other.ok ? other.value.make(request_id, 'lea') : '',
  ];
  for (const each of wrong)
    expect(await show(each)).toMatchObject({status: 403, html: expect.stringContaining('this link is not valid')});
  const expired = await show(links.make(request_id, 'lea', -1));
  expect(expired).toMatchObject({status: 403, html: expect.stringContaining('this link has expired')});
  expect(await show(links.make('apr-none', 'lea'))).toMatchObject({status: 410});
});

test('of a group, one chooses the name; the asker and people that no rule names cannot answer', async () => {
  const links = await open({by: ['group:leads'], count: 2});
  const request_id = await ask();
  const link = links.make(request_id, 'group:leads');
  const page = await show(link);
  expect(page.html).toContain('<option>lea</option><option>max</option>');
  expect((await send(page, {answer: 'approve'})).status).toBe(400);
  expect((await send(page, {answer: 'approve', name: 'agent'})).status).toBe(400);
  expect((await send(page, {answer: 'approve', name: 'lea'})).status).toBe(200);
  expect(state()).toBe('pending');
  const again = await send(await show(link), {answer: 'approve', name: 'max'});
  expect(again).toMatchObject({status: 409, html: expect.stringContaining('this link was used')});
  const mallory = await send(await show(links.make(request_id, 'mallory')), {answer: 'approve'});
  expect(mallory.status).toBe(403);
  const max = await send(await show(links.make(request_id, 'max')), {answer: 'approve'});
  expect(max.status).toBe(200);
  expect(state()).toBe('approved');
});

test('the asker cannot use a link', async () => {
  const links = await open();
  const page = await show(links.make(await ask(), 'agent'));
  expect(await send(page, {answer: 'approve'})).toMatchObject({
    status: 403,
    html: expect.stringContaining('cannot answer'),
  });
});

test('a workspace with sign_in has no links, and a weak key is reported', async () => {
  await open();
  const spec = http.runtime.workspace.spec;
  const sign_in = {issuer: 'https://login.example', client_id: 'x', roles: {admin: ['a']}} as const;
  const links = openLinks({spec: {...spec, sign_in: {...sign_in, roles: {admin: ['a']}}}, env, now: Date.now});
  expect(links).toMatchObject({problem: 'in this workspace, people sign in before they decide'});
  for (const key of ['', 'short', Buffer.alloc(31).toString('base64')])
    expect(() => openLinks({spec, env: {LINK_KEY: key}, now: Date.now})).toThrow('openssl rand -base64 32');
});

test('a workspace without links answers 404', async () => {
  http = await openHttpStage();
  expect((await fetch(`${http.server.url}/answer?link=x`)).status).toBe(404);
});

test('a message contains a link for its receiver', async () => {
  const bodies: string[] = [];
  const receiver = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (chunk: string) => bodies.push(chunk));
    request.once('end', () => response.writeHead(204).end());
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await open(undefined, {notify: [{id: 'lea', url, link_to: 'lea'}]});
  const onError = (error: unknown): void => expect.unreachable(String(error));
  const notifier = startNotifier(http.runtime, {env, intervalMs: 20, onError});
  onTestFinished(async () => {
    await notifier.close();
    await new Promise((resolve) => receiver.close(resolve));
  });
  const request_id = await ask();
  await vi.waitFor(() => expect(bodies).toHaveLength(1), {timeout: 60_000});
  const client = http.client(await http.tokens.issue({name: 'reader', role: 'operator'}));
  await vi.waitFor(async () => {
    const shown = await client.get(`/v1/approvals/${request_id}`);
    expect(shown.body.notifications).toMatchObject([{receiver: 'lea', outcome: 'delivered', occasion: 'requested'}]);
  });
  const {data} = JSON.parse(bodies[0] ?? '') as {readonly data: {readonly url: string}};
  expect((await show(data.url)).html).toContain('You answer as <b>lea</b>');
});
