// What nested calls write is judged for each of them, and waits, is applied and discarded with their outermost caller's.
import type {Host, Session} from '@lumenflow/host';
import type {ChangesMatcher, PolicyOutcome, PolicyRule, ToolOutput} from '@lumenflow/schemas';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, describe, expect, test} from 'vitest';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
let host: Host;
afterEach(async () => await workspace.remove());

const rule = (id: string, decision: PolicyOutcome, changes: ChangesMatcher, tool = '*'): PolicyRule => ({
  id,
  trigger: 'on_changes',
  decision,
  when: {tool, changes},
});
const infra: ChangesMatcher = {any: {path: 'infra/**'}};

async function open(...rules: readonly PolicyRule[]): Promise<Session> {
  workspace = makeHostWorkspace({
    copied: {held: join(import.meta.dirname, 'transactional-pack')},
    pins: {held: {trust: 'in_process'}},
    direct: ['free:write'],
    spec: {
      lanes: [{id: 'core', allowed_scopes: everything, wip_limit: 10}],
      policies: {default_decision: 'allow', rules: [...rules]},
    },
    files: {'docs/a.md': 'a\n', 'infra/main.tf': 'resource\n'},
  });
  host = await workspace.start();
  return opened(await host.openSession({by: 'agent', lane: 'core'}));
}

const read = (path: string): string => readFileSync(join(workspace.root, path), 'utf8');
const write = (files: Record<string, string>, tool = 'held:write'): object => ({tool, input: {files}});

async function nestedStates({metadata}: ToolOutput): Promise<readonly (string | undefined)[]> {
  const {finished} = (await host.runtime.evidence.receipt(String(metadata?.receipt_id))) ?? {};
  const ids = finished?.child_receipt_ids ?? [];
  const receipts = await Promise.all(ids.map(async (id) => await host.runtime.evidence.receipt(id)));
  return receipts.map((receipt) => receipt?.finished?.changes?.state);
}

test("a nested call's changes are merged into its caller's, which are applied as a whole", async () => {
  const session = await open();
  const inner = {tool: 'held:nest', input: {calls: [write({'docs/c.md': 'c\n'})], read: 'docs/b.md'}};
  const output = await session.call('held:nest', {
    files: {'docs/b.md': 'b\n'},
    calls: [inner, write({'docs/b.md': 'nested\n'}, 'free:write')],
    read: 'docs/b.md',
  });
  expect(output).toMatchObject({success: true, data: {codes: ['ok', 'ok'], read: 'nested\n'}});
  const {finished} = (await host.runtime.evidence.receipt(String(output.metadata?.receipt_id))) ?? {};
  expect(finished?.changes).toMatchObject({
    state: 'applied',
    list: [
      {op: 'create', path: 'docs/b.md'},
      {op: 'create', path: 'docs/c.md'},
    ],
  });
  expect([read('docs/b.md'), read('docs/c.md')]).toEqual(['nested\n', 'c\n']);
  expect(await nestedStates(output)).toEqual(['merged', 'merged']);
});

test('a tool that writes directly elsewhere leaves nothing when its caller fails', async () => {
  const session = await open();
  const calls = [write({'docs/a.md': 'nested\n'}, 'free:write')];
  const output = await session.call('held:nest', {calls, fail: true});
  expect(output.success).toBe(false);
  expect(read('docs/a.md')).toBe('a\n');
});

describe('rules of on_changes', () => {
  test('a nested call that is denied leaves nothing, and its caller continues', async () => {
    const session = await open(rule('no-infra', 'deny', infra));
    const output = await session.call('held:nest', {
      calls: [write({'infra/main.tf': 'x', 'docs/b.md': 'b'}), write({'docs/c.md': 'c\n'})],
    });
    expect(output).toMatchObject({success: true, data: {codes: ['POLICY_DENIED', 'ok']}});
    expect(await nestedStates(output)).toEqual(['discarded', 'merged']);
    expect([read('infra/main.tf'), read('docs/c.md')]).toEqual(['resource\n', 'c\n']);
  });

  test('what a nested call would be parked for parks all that its outermost caller wrote', async () => {
    const session = await open(rule('ask-writes', 'approval_required', infra, 'held:write'));
    const inner = {tool: 'held:nest', input: {calls: [write({'infra/main.tf': 'changed\n'})]}};
    const output = await session.call('held:nest', {files: {'docs/b.md': 'b\n'}, calls: [inner]});
    expect(output.error).toMatchObject({code: 'CHANGES_PARKED', details: {count: 2, rule_id: 'ask-writes'}});
    expect(read('infra/main.tf')).toBe('resource\n');
    const request_id = String(output.error?.details?.['request_id']);
    await host.runtime.resolveApproval({request_id, approved: true, approved_by: 'olga'});
    expect([read('infra/main.tf'), read('docs/b.md')]).toEqual(['changed\n', 'b\n']);
  });
});

test('a dry run has the changes of nested calls, and leaves everything as it was', async () => {
  const session = await open();
  const input = {files: {'docs/b.md': 'b'}, calls: [write({'docs/a.md': 'nested\n'})], read: 'docs/a.md'};
  const output = await session.call('held:nest', input, {dry_run: true});
  expect(output).toMatchObject({
    success: true,
    data: {codes: ['ok'], read: 'nested\n'},
    metadata: {changes: {state: 'discarded', dry_run: true, list: [{path: 'docs/a.md'}, {path: 'docs/b.md'}]}},
  });
  expect(read('docs/a.md')).toBe('a\n');
});

test("a nested call's preview sees what its caller wrote, and so does the person who is asked", async () => {
  const asks: PolicyRule = {
    id: 'ask-publish',
    trigger: 'on_tool_request',
    decision: 'approval_required',
    when: {tool: 'held:publish'},
  };
  const session = await open(asks);
  const output = await session.call('held:nest', {
    files: {'docs/a.md': 'written by the caller\n'},
    calls: [{tool: 'held:publish', input: {path: 'docs/a.md'}}],
  });
  expect(output).toMatchObject({data: {codes: ['APPROVAL_REQUIRED']}});
  const [request] = host.runtime.listApprovals({state: 'pending'});
  const shown = await host.runtime.evidence.readBlob(String(request?.preview?.ref));
  expect(JSON.parse(shown ?? '')).toEqual({content: 'written by the caller\n'});
});
