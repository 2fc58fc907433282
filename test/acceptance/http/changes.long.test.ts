// Change sets over HTTP: previewed, parked and answered by their difference, kept after a conflict, reverted.
import {openTokenStore, startHttpServer, type HttpServer} from '@lumenflow/host';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {clientOf, type Answer, type Client} from '../../support/http-stage.ts';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';

let workspace: HostWorkspace;
let server: HttpServer;
let agent: Client;
let otherAgent: Client;
let operator: Client;
beforeAll(async () => {
  workspace = makeHostWorkspace({
    copied: {held: join(import.meta.dirname, '../host/transactional-pack')},
    pins: {held: {trust: 'in_process'}},
    spec: {
      lanes: [{id: 'core', allowed_scopes: everything, wip_limit: 10}],
      policies: {
        default_decision: 'allow',
        rules: [
          {
            id: 'ask-infra',
            trigger: 'on_changes',
            decision: 'approval_required',
            when: {changes: {any: {path: 'infra/**'}}},
          },
        ],
      },
    },
  });
  const tokens = openTokenStore(workspace.root);
  server = await startHttpServer(await workspace.start(), {tokens, version: '0.0.0'});
  const client = async (name: string, role: 'agent' | 'operator'): Promise<Client> =>
    await clientOf(server.url, await tokens.issue({name, role}));
  agent = await client('ann', 'agent');
  otherAgent = await client('ben', 'agent');
  operator = await client('olga', 'operator');
});
afterAll(async () => {
  await server.close();
  await workspace.remove();
});
beforeEach(() => workspace.write({'docs/a.md': 'one\ntwo\n', 'infra/main.tf': 'old\n'}));

const read = (path: string): string => readFileSync(join(workspace.root, path), 'utf8');
const write = async (path: string, text: string, more: object = {}): Promise<Answer> =>
  await agent.post('/v1/tools/held:write', {input: {files: {[path]: text}}, ...more});
const receiptOf = ({body}: Answer): string => String(body.metadata.receipt_id);
const changesOf = async (receipt: string): Promise<Answer['body']> =>
  (await operator.get(`/v1/evidence/${receipt}/changes`)).body;
const listed = async (): Promise<readonly unknown[]> => (await operator.get('/v1/changes?unsettled=true')).body.changes;
const revert = async (client: Client, receipt_id: string, more: object = {}): Promise<Answer> =>
  await client.post('/v1/tools/kernel:revert-changes', {input: {receipt_id}, ...more});
const lines = (body: Answer['body']): readonly string[] =>
  body.files.flatMap(({hunks = []}: {hunks?: {lines: string[]}[]}) => hunks.flatMap(({lines: each}) => each));

test('a dry run answers with its changes and applies none', async () => {
  const dry = await write('docs/a.md', 'one\n2\n', {dry_run: true});
  expect(dry).toMatchObject({
    status: 200,
    body: {metadata: {changes: {dry_run: true, state: 'discarded', count: 1, list: [{path: 'docs/a.md'}]}}},
  });
  expect(read('docs/a.md')).toBe('one\ntwo\n');
  expect(lines(await changesOf(receiptOf(dry)))).toEqual([' one', '-two', '+2']);
});

test('an explanation names the rules that judge what the call changed', async () => {
  const explained = await operator.get('/v1/policy/explain?tool=held:write&lane=core');
  expect(explained.body).toMatchObject({decision: 'allow', on_changes: [{rule_id: 'ask-infra'}]});
});

describe('parked changes', () => {
  async function park(): Promise<{readonly receipt: string; readonly request: string}> {
    const parked = await write('infra/main.tf', 'new\n');
    expect(parked).toMatchObject({status: 202, body: {error: {code: 'CHANGES_PARKED'}}});
    expect(read('infra/main.tf')).toBe('old\n');
    return {receipt: receiptOf(parked), request: parked.body.request_id};
  }

  test('are shown with the request, applied by its approval, and seen by the requester', async () => {
    const {receipt, request} = await park();
    const shown = await operator.get(`/v1/approvals/${request}`);
    expect(shown.body.changes).toMatchObject([{path: 'infra/main.tf', hunks: [{lines: ['-old', '+new']}]}]);
    expect((await agent.post(`/v1/approvals/${request}`, {approved: true})).status).toBe(403);
    expect((await operator.post(`/v1/approvals/${request}`, {approved: true})).status).toBe(200);
    expect(read('infra/main.tf')).toBe('new\n');
    expect((await agent.get(`/v1/evidence/${receipt}/changes`)).body).toMatchObject({
      state: 'applied',
      settled_by: 'olga',
    });
    expect((await otherAgent.get(`/v1/evidence/${receipt}/changes`)).status).toBe(403);
  });

  test('are discarded by a rejection', async () => {
    const {receipt, request} = await park();
    await operator.post(`/v1/approvals/${request}`, {approved: false, reason: 'not now'});
    expect(read('infra/main.tf')).toBe('old\n');
    expect(await changesOf(receipt)).toMatchObject({state: 'discarded'});
  });

  test('are kept when somebody has changed the same path', async () => {
    const {receipt, request} = await park();
    workspace.write({'infra/main.tf': 'by hand\n'});
    expect(await operator.post(`/v1/approvals/${request}`, {approved: true})).toMatchObject({
      status: 409,
      body: {error: {code: 'WRITE_CONFLICT', details: {conflicts: ['infra/main.tf'], request_id: request}}},
    });
    expect(read('infra/main.tf')).toBe('by hand\n');
    expect(await changesOf(receipt)).toMatchObject({state: 'conflict', conflicts: ['infra/main.tf']});
    expect(await listed()).toContainEqual({
      receipt_id: receipt,
      request_id: request,
      state: 'conflict',
      conflicts: ['infra/main.tf'],
      settled_by: 'olga',
      settled_at: expect.any(String) as string,
    });
    const again = await operator.post(`/v1/changes/${receipt}/apply`, {});
    expect(again).toMatchObject({status: 409, body: {error: {code: 'WRITE_CONFLICT'}}});
    expect(again.body.error.message).toContain('`infra/main.tf` changed since the call');
    workspace.write({'infra/main.tf': 'old\n'});
    expect(await operator.post(`/v1/changes/${receipt}/apply`, {})).toMatchObject({
      status: 200,
      body: {receipt_id: receipt, state: 'applied', settled_by: 'olga'},
    });
    expect(read('infra/main.tf')).toBe('new\n');
  });

  test('are listed, applied and discarded by an operator, and never before their approval', async () => {
    const {receipt, request} = await park();
    expect(await listed()).toContainEqual({receipt_id: receipt, request_id: request, state: 'parked'});
    for (const client of [agent, otherAgent]) {
      expect((await client.get('/v1/changes')).status).toBe(403);
      for (const verb of ['apply', 'discard']) {
        expect((await client.post(`/v1/changes/${receipt}/${verb}`, {})).status).toBe(403);
      }
    }
    expect(await operator.post(`/v1/changes/${receipt}/apply`, {})).toMatchObject({
      status: 202,
      body: {request_id: request, error: {code: 'APPROVAL_REQUIRED'}},
    });
    expect(read('infra/main.tf')).toBe('old\n');
    const discarded = await operator.post(`/v1/changes/${receipt}/discard`, {reason: 'not now'});
    expect(discarded).toMatchObject({status: 200, body: {state: 'discarded', settled_by: 'olga'}});
    expect((await operator.get(`/v1/approvals/${request}`)).body).toMatchObject({state: 'rejected', reason: 'not now'});
    expect(await listed()).not.toContainEqual(expect.objectContaining({receipt_id: receipt}));
    expect((await operator.post(`/v1/changes/${receipt}/apply`, {})).body.error).toMatchObject({
      code: 'CHANGES_NOT_KEPT',
      message: `the changes of \`${receipt}\` are discarded: not now`,
    });
    expect(await operator.post('/v1/changes/rcp-none/discard', {})).toMatchObject({
      status: 409,
      body: {error: {code: 'CHANGES_NOT_KEPT'}},
    });
  });

  test('are kept and listed when somebody changed the same path during the call', async () => {
    const script = 'echo mine > docs/a.md; sleep 3';
    const calling = agent.post('/v1/tools/held:shell', {input: {script}});
    await expect.poll(async () => (await operator.get('/v1/evidence?result=open')).body.receipts.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    workspace.write({'docs/a.md': 'theirs\n'});
    const conflict = await calling;
    expect(conflict).toMatchObject({status: 409, body: {error: {code: 'WRITE_CONFLICT'}}});
    const receipt = receiptOf(conflict);
    expect(await listed()).toEqual([{receipt_id: receipt, state: 'conflict'}]);
    // What applying replaces is what the difference shows, and nothing else.
    expect(lines(await changesOf(receipt))).toEqual(['-theirs', '+mine']);
    workspace.write({'docs/a.md': 'theirs, once more\n'});
    expect((await operator.post(`/v1/changes/${receipt}/apply`, {})).status).toBe(409);
    expect((await operator.post(`/v1/changes/${receipt}/discard`, {})).body).toMatchObject({state: 'discarded'});
    expect(await listed()).toEqual([]);
    expect(read('docs/a.md')).toBe('theirs, once more\n');
  });

  test('are listed page by page', async () => {
    const receipts = [(await park()).receipt, (await park()).receipt, (await park()).receipt];
    const seen: string[] = [];
    for (let after: string | undefined; seen.length === 0 || after !== undefined;) {
      const from = after === undefined ? '' : `&after=${after}`;
      const {body} = await operator.get(`/v1/changes?state=parked&limit=1${from}`);
      expect(body).toMatchObject({total: 3, changes: [{state: 'parked'}]});
      seen.push(body.changes[0].receipt_id);
      after = body.next_after;
    }
    expect(seen).toEqual(receipts);
    for (const receipt of receipts) await operator.post(`/v1/changes/${receipt}/discard`, {});
  });
});

test('a call’s changes are reverted by its caller or by an operator, once', async () => {
  const receipt = receiptOf(await write('docs/a.md', 'changed\n'));
  expect(await revert(otherAgent, receipt)).toMatchObject({status: 403, body: {error: {code: 'SCOPE_DENIED'}}});
  const dry = await revert(operator, receipt, {dry_run: true});
  expect(lines(await changesOf(receiptOf(dry)))).toEqual(['-changed', '+one', '+two']);
  expect(read('docs/a.md')).toBe('changed\n');
  const reverted = await revert(operator, receipt);
  expect(reverted).toMatchObject({status: 200, body: {data: {receipt_id: receipt, paths: ['docs/a.md']}}});
  expect(read('docs/a.md')).toBe('one\ntwo\n');
  expect(await changesOf(receipt)).toMatchObject({state: 'applied', reverted_by: receiptOf(reverted)});
  expect(await changesOf(receiptOf(reverted))).toMatchObject({recorded: {reverts: receipt}});
  expect(await revert(agent, receipt)).toMatchObject({
    status: 409,
    body: {error: {code: 'WRITE_CONFLICT', details: {conflicts: ['docs/a.md']}}},
  });
  expect(await revert(agent, receiptOf(reverted))).toMatchObject({status: 403});
  expect((await revert(agent, 'rcp-none')).body.error).toMatchObject({code: 'NOT_REVERTIBLE'});
});
