// Change sets over HTTP: seen before they happen, parked and answered by their difference, kept after a conflict, taken back.
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
    copied: {held: join(import.meta.dirname, '../host/held-pack')},
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

  test('are shown with the request, applied by its approval, and seen by who asked', async () => {
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
    await operator.post(`/v1/approvals/${request}`, {approved: true});
    expect(read('infra/main.tf')).toBe('by hand\n');
    expect(await changesOf(receipt)).toMatchObject({state: 'conflict', conflicts: ['infra/main.tf']});
  });
});

test('what a call changed is taken back by who made it or by an operator, once', async () => {
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
