// Passkeys over HTTP, and what the ways of answering that cannot sign say.
import {hash} from 'node:crypto';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {openLinks} from '@lumenflow/host';
import {openHttpStage, type Client, type HttpStage} from '../../support/http-stage.ts';
import {passkeyHost, passkeyOrigin, SoftwarePasskey} from '../../support/software-passkey.ts';

const env = {LINK_KEY: Buffer.alloc(32, 3).toString('base64')};

let http: HttpStage;
beforeEach(async () => {
  const rule = {
    id: 'ask',
    trigger: 'on_tool_request' as const,
    decision: 'approval_required' as const,
    when: {tool: 'files:write'},
    approvers: {passkey: true as const},
  };
  http = await openHttpStage({
    workspace: {
      policies: {default_decision: 'allow', rules: [rule]},
      approvals: {url: passkeyOrigin, links: {key_env: 'LINK_KEY'}},
    },
    server: {env},
  });
});
afterEach(() => http.close());

const remove = async (client: Client, id: string): Promise<{readonly status: number; readonly body: unknown}> => {
  const headers = {authorization: `Bearer ${client.token}`};
  const response = await fetch(`${http.server.url}/v1/passkeys/${id}`, {method: 'DELETE', headers});
  return {status: response.status, body: await response.json()};
};

/** A text with this SHA-256 is what the passkey signs; the stage's passkey hashes the text itself. */
async function enrol(client: Client, name: string, passkey = new SoftwarePasskey()) {
  const {enrolment} = (await client.get('/v1/passkeys')).body;
  const text = `lumenflow-passkey-v1\n${name}\n\n\n`;
  expect(enrolment).toMatchObject({
    rp_id: passkeyHost,
    origin: passkeyOrigin,
    user_name: name,
    challenge: hash('sha256', text, 'base64'),
  });
  const body = {label: `key of ${name}`, ...passkey.create({challenge: text})};
  return {passkey, body, added: await client.post('/v1/passkeys', body)};
}

async function ask(): Promise<string> {
  const context = await http.runtime.startTask();
  const called = await http.runtime.executeTool('files:write', {path: 'a'}, context);
  expect(called.error?.details).toMatchObject({passkey: true});
  return String(called.error?.details?.['request_id']);
}

test('an operator enrols a passkey, signs with it, and removes it; another one cannot', async () => {
  const {operator, otherOperator, admin, agent} = http;
  const {name} = (await operator.get('/v1/caller')).body;
  const {passkey, body, added} = await enrol(operator, name);
  expect([added.status, added.body.label]).toEqual([200, `key of ${name}`]);
  expect((await operator.post('/v1/passkeys', body)).body.error.code).toBe('PASSKEY_TAKEN');
  const {name: other} = (await otherOperator.get('/v1/caller')).body;
  expect((await enrol(otherOperator, other, passkey)).added.body.error.code).toBe('PASSKEY_TAKEN');
  expect((await otherOperator.post('/v1/passkeys', body)).body.error).toMatchObject({
    code: 'PASSKEY_INVALID',
    message: 'this passkey cannot be enrolled: it signs another request',
  });
  expect((await agent.get('/v1/passkeys')).status).toBe(403);

  const request_id = await ask();
  const path = `/v1/approvals/${request_id}`;
  const {binding, signing} = (await operator.get(path)).body;
  const challenge = `lumenflow-approval-v1\n${request_id}\n${binding}\n`;
  expect(signing).toMatchObject({
    challenge: hash('sha256', challenge, 'base64'),
    passkeys: [{passkey_id: passkey.passkey_id, origin: passkeyOrigin}],
  });
  expect((await otherOperator.get(path)).body.signing.passkeys).toEqual([]);
  const unsigned = await operator.post(path, {approved: true});
  expect([unsigned.status, unsigned.body.error.message]).toEqual([
    403,
    `an approval of request \`${request_id}\` must be signed with a passkey: approve it at ${passkeyOrigin}/#${path.replace('/v1', '')}`,
  ]);
  const assertion = passkey.sign({challenge});
  expect((await otherOperator.post(path, {approved: true, assertion})).body.error.code).toBe('PASSKEY_INVALID');
  expect((await operator.post(path, {approved: true, assertion: {...assertion, extra: 1}})).status).toBe(400);
  expect((await operator.post(path, {approved: true, assertion})).body).toMatchObject({
    state: 'approved',
    answers: [{by: name, passkey_id: passkey.passkey_id}],
  });
  expect((await operator.get(path)).body).not.toHaveProperty('signing');

  expect((await remove(otherOperator, passkey.passkey_id)).status).toBe(404);
  expect(await remove(operator, passkey.passkey_id)).toMatchObject({status: 200, body: {removed_by: name}});
  expect((await remove(admin, passkey.passkey_id)).status).toBe(404);
  expect((await operator.get('/v1/passkeys')).body.passkeys).toEqual([]);
  expect((await admin.get('/v1/people/passkeys')).body.passkeys).toMatchObject([{removed_by: name}]);
  expect((await operator.get('/v1/people/passkeys')).status).toBe(403);
});

test('an admin removes a lost passkey of another person', async () => {
  const {operator, admin} = http;
  const {name} = (await operator.get('/v1/caller')).body;
  const {passkey} = await enrol(operator, name);
  expect(await remove(admin, passkey.passkey_id)).toMatchObject({status: 200, body: {name, removed_by: 'ada'}});
});

test('a signed link shows the request, says where it is signed, and can only reject', async () => {
  const request_id = await ask();
  const links = openLinks({spec: http.runtime.workspace.spec, env, now: Date.now});
  const link = links.ok ? links.value.make(request_id, 'olga') : '';
  const shown = await fetch(`${http.server.url}/answer${new URL(link).search}`);
  const html = await shown.text();
  expect(html).toContain(`sign with a passkey in the dashboard: <a href="${passkeyOrigin}/#/approvals/${request_id}">`);
  expect(html).toContain('value="reject"');
  expect(html).not.toContain('value="approve"');
  const [, proof = ''] = /name="proof" value="([^"]*)"/u.exec(html) ?? [];
  const body = new URLSearchParams({link: new URL(link).searchParams.get('link') ?? '', proof, answer: 'approve'});
  const cookie = /^[^;]+/u.exec(shown.headers.get('set-cookie') ?? '')?.[0] ?? '';
  const sent = await fetch(`${http.server.url}/answer`, {method: 'POST', body, headers: {cookie}});
  expect([sent.status, await sent.text()]).toEqual([403, expect.stringContaining('must be signed with a passkey')]);
  expect(http.runtime.listApprovals({state: 'pending'})).toHaveLength(1);
});
