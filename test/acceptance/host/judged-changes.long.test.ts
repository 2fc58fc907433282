// What calls change, judged by rules of on_changes: applied, denied, or parked until a person answers.
import type {Host, Session} from '@lumenflow/host';
import type {ChangesMatcher, PolicyOutcome, PolicyRule, ToolOutput} from '@lumenflow/schemas';
import {existsSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, describe, expect, test} from 'vitest';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
let host: Host;
afterEach(async () => await workspace.remove());

const rule = (id: string, decision: PolicyOutcome, changes: ChangesMatcher): PolicyRule => ({
  id,
  trigger: 'on_changes',
  decision,
  when: {changes},
});

async function open(rules: readonly PolicyRule[]): Promise<Session> {
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
const parked = (): boolean => existsSync(join(workspace.root, '.lumenflow/transactions/parked'));
const failed = ({error}: ToolOutput): Record<string, unknown> => ({code: error?.code, ...error?.details});

async function stateOf(output: ToolOutput): Promise<string | undefined> {
  return (await host.runtime.changes.of(String(output.metadata?.receipt_id)))?.state;
}

describe('deny', () => {
  test('discards everything, names what was denied and what would have been allowed', async () => {
    const session = await open([rule('no-infra', 'deny', {any: {path: 'infra/**', op: ['modify', 'delete']}})]);
    const denied = await session.call('held:write', {files: {'infra/main.tf': 'x', 'docs/a.md': 'b\n'}});
    expect(failed(denied)).toMatchObject({
      code: 'POLICY_DENIED',
      rule_id: 'no-infra',
      denied_paths: ['infra/main.tf'],
      allowed_paths: ['docs/a.md'],
    });
    expect([read('infra/main.tf'), read('docs/a.md')]).toEqual(['resource\n', 'a\n']);
    const {finished} = (await host.runtime.evidence.receipt(String(denied.metadata?.receipt_id))) ?? {};
    expect(finished).toMatchObject({result: 'denied', changes: {state: 'discarded', count: 2}});
    expect(finished?.policy_decisions?.map(({rule_id}) => rule_id)).toContain('no-infra');
    const created = await session.call('held:write', {files: {'infra/new.tf': 'x'}});
    expect(created.success).toBe(true);
  });

  test('the rule also applies to a tool that would write directly', async () => {
    const session = await open([rule('no-infra', 'deny', {any: {path: 'infra/**'}})]);
    const denied = await session.call('free:write', {files: {'infra/main.tf': 'x'}});
    expect(failed(denied)).toMatchObject({code: 'POLICY_DENIED', rule_id: 'no-infra'});
    expect(read('infra/main.tf')).toBe('resource\n');
  });

  test.each(['held:write', 'free:write'])('a rule that matches by `writes` alone judges `%s`', async (tool) => {
    const writes = {tool: '*:write', writes: 'infra/**'};
    const session = await open([{id: 'no-infra', trigger: 'on_changes', decision: 'deny', when: writes}]);
    const denied = await session.call(tool, {files: {'infra/main.tf': 'x'}});
    expect(failed(denied)).toMatchObject({code: 'POLICY_DENIED', rule_id: 'no-infra'});
    expect(read('infra/main.tf')).toBe('resource\n');
    expect((await session.call(tool, {files: {'docs/a.md': 'x'}})).success).toBe(true);
  });

  test.each<readonly [string, ChangesMatcher, Record<string, string>, boolean]>([
    ['added text', {added_text: {regex: 'AKIA[0-9A-Z]{4}'}}, {'docs/a.md': 'a\nAKIA1234\n'}, true],
    ['text that was there before', {added_text: {regex: '^a$'}}, {'docs/a.md': 'a\nb\n'}, false],
    ['more files', {max_files: 1}, {'docs/a.md': '1', 'docs/b.md': '2'}, true],
    ['as many files', {max_files: 2}, {'docs/a.md': '1', 'docs/b.md': '2'}, false],
    ['more bytes', {max_bytes: 3}, {'docs/a.md': '1234'}, true],
    ['only entries that fit', {all: {path: 'docs/**'}}, {'docs/a.md': '1', 'docs/b.md': '2'}, true],
    ['entries that do not all fit', {all: {path: 'docs/**'}}, {'docs/a.md': '1', 'infra/b': '2'}, false],
  ])('a rule on %s', async (_what, matcher, files, applies) => {
    const session = await open([rule('watched', 'deny', matcher)]);
    const output = await session.call('held:write', {files});
    expect(output.error?.code).toBe(applies ? 'POLICY_DENIED' : undefined);
  });
});

describe('approval_required', () => {
  const guarded = [rule('ask-infra', 'approval_required', {any: {path: 'infra/**'}})];

  async function park(): Promise<{readonly output: ToolOutput; readonly request_id: string}> {
    const session = await open(guarded);
    const output = await session.call('held:write', {files: {'infra/main.tf': 'changed\n', 'docs/new.md': 'n'}});
    await session.complete();
    return {output, request_id: String(output.error?.details?.['request_id'])};
  }

  const resolve = async (request_id: string, approved: boolean): Promise<unknown> =>
    await host.runtime.resolveApproval({request_id, approved, approved_by: 'olga'});

  test('parks what was written, binds it, and applies exactly that when a person approves', async () => {
    const {output, request_id} = await park();
    expect(failed(output)).toMatchObject({code: 'CHANGES_PARKED', count: 2, rule_id: 'ask-infra'});
    expect(read('infra/main.tf')).toBe('resource\n');
    const [approval] = host.runtime.listApprovals({state: 'pending'});
    const view = await host.runtime.changes.of(String(output.metadata?.receipt_id));
    expect(view).toMatchObject({state: 'parked', recorded: {state: 'parked', request_id}});
    expect(approval?.subject).toMatchObject({
      kind: 'changes',
      changes_digest: view?.recorded.digest,
      changes_base: view?.recorded.base,
    });
    expect(await resolve(request_id, true)).toMatchObject({success: true, data: {state: 'used'}});
    expect([read('infra/main.tf'), read('docs/new.md')]).toEqual(['changed\n', 'n']);
    expect(await stateOf(output)).toBe('applied');
    expect(parked()).toBe(false);
  });

  test('a rejection discards it', async () => {
    const {output, request_id} = await park();
    await resolve(request_id, false);
    expect(read('infra/main.tf')).toBe('resource\n');
    expect(await stateOf(output)).toBe('discarded');
    expect(parked()).toBe(false);
  });

  test('a file that was changed in the meantime is a conflict: nothing is applied, and the changes are kept', async () => {
    const {output, request_id} = await park();
    workspace.write({'infra/main.tf': 'theirs\n'});
    await resolve(request_id, true);
    const receipt_id = String(output.metadata?.receipt_id);
    const view = await host.runtime.changes.of(receipt_id);
    expect(view?.kept).toMatchObject({state: 'conflict', conflicts: ['infra/main.tf']});
    expect(read('infra/main.tf')).toBe('theirs\n');
    expect(existsSync(join(workspace.root, 'docs/new.md'))).toBe(false);
    workspace.write({'infra/main.tf': 'resource\n'});
    expect(await host.runtime.changes.apply({receipt_id, by: 'olga'})).toMatchObject({data: {state: 'applied'}});
    expect(read('infra/main.tf')).toBe('changed\n');
  });

  test('parked changes are compared with what was approved', async () => {
    const {output, request_id} = await park();
    const receipt_id = String(output.metadata?.receipt_id);
    const kept = join('.lumenflow/transactions/parked', receipt_id, 'new');
    rmSync(join(workspace.root, kept, '0'));
    workspace.write({[`${kept}/0`]: 'evil\n'});
    await resolve(request_id, true);
    expect((await host.runtime.changes.of(receipt_id))?.state).toBe('failed');
    expect(read('infra/main.tf')).toBe('resource\n');
    expect(existsSync(join(workspace.root, 'docs/new.md'))).toBe(false);
  });

  test('it waits over a restart, and cannot be applied without the approval', async () => {
    const {output, request_id} = await park();
    const receipt_id = String(output.metadata?.receipt_id);
    await host.close();
    host = await workspace.start();
    expect(await host.runtime.changes.apply({receipt_id, by: 'olga'})).toMatchObject({
      success: false,
      error: {code: 'APPROVAL_REQUIRED'},
    });
    await resolve(request_id, true);
    expect(read('infra/main.tf')).toBe('changed\n');
  });

  test('of two hosts that could apply it exactly one does, and both know', async () => {
    const {output, request_id} = await park();
    const receipt_id = String(output.metadata?.receipt_id);
    const other = await workspace.start();
    const [first, second] = await Promise.all([
      host.runtime.resolveApproval({request_id, approved: true, approved_by: 'olga'}),
      other.runtime.resolveApproval({request_id, approved: true, approved_by: 'piet'}),
    ]);
    expect([first, second].filter(({success}) => success)).toHaveLength(1);
    await host.runtime.changes.list();
    await expect.poll(async () => (await other.runtime.changes.of(receipt_id))?.state).toBe('applied');
    const settled = await host.runtime.events.read({types: ['changes_settled']});
    expect(settled).toHaveLength(1);
  });

  test('discarding it rejects the request', async () => {
    const {output, request_id} = await park();
    const receipt_id = String(output.metadata?.receipt_id);
    await host.runtime.changes.discard({receipt_id, by: 'olga', reason: 'not now'});
    expect(await stateOf(output)).toBe('discarded');
    expect(host.runtime.listApprovals().find((approval) => approval.request_id === request_id)).toMatchObject({
      state: 'rejected',
      reason: 'not now',
    });
  });
});

test('a dry run gives the change set and leaves everything as it was', async () => {
  const session = await open([]);
  const output = await session.call('free:write', {files: {'docs/a.md': 'b\n'}}, {dry_run: true});
  expect(output).toMatchObject({
    success: true,
    metadata: {changes: {state: 'discarded', dry_run: true, list: [{path: 'docs/a.md', op: 'modify'}]}},
  });
  expect(read('docs/a.md')).toBe('a\n');
});

describe('a rename', () => {
  const outOf = 'mv infra/main.tf docs/main.tf';
  const into = 'mv docs/a.md infra/a.md';

  test.each<readonly [string, string, ChangesMatcher, boolean]>([
    ['into the directory, by its new path', into, {any: {path: 'infra/**'}}, true],
    ['out of the directory, by its old path', outOf, {any: {path: 'infra/**'}}, true],
    ['by its operation', outOf, {any: {path: 'infra/**', op: ['rename']}}, true],
    ['as a deletion of the old path', outOf, {any: {path: 'infra/**', op: ['delete']}}, true],
    ['as a creation of the new path', into, {any: {path: 'infra/**', op: ['create']}}, true],
    ['not as a deletion of the new path', into, {any: {path: 'infra/**', op: ['delete']}}, false],
    ['not as a creation of the old path', outOf, {any: {path: 'infra/**', op: ['create']}}, false],
    ['not as within one directory when it leaves it', outOf, {all: {path: 'infra/**'}}, false],
    ['as two files', outOf, {max_files: 1}, true],
    ['as added text of its new path', into, {added_text: {regex: '^a$'}}, true],
  ])('is judged %s', async (_what, script, matcher, applies) => {
    const session = await open([rule('watched', 'deny', matcher)]);
    const output = await session.call('held:shell', {script});
    expect(output.error?.code).toBe(applies ? 'POLICY_DENIED' : undefined);
  });

  test('is one entry, parked, applied and reverted as a whole', async () => {
    const session = await open([rule('ask-infra', 'approval_required', {any: {path: 'infra/**'}})]);
    const output = await session.call('held:shell', {script: outOf});
    const receipt_id = String(output.metadata?.receipt_id);
    const {set} = (await host.runtime.changes.of(receipt_id)) ?? {};
    expect(set?.entries).toMatchObject([{op: 'rename', from: 'infra/main.tf', path: 'docs/main.tf'}]);
    const request_id = String(output.error?.details?.['request_id']);
    await host.runtime.resolveApproval({request_id, approved: true, approved_by: 'olga'});
    expect(await stateOf(output)).toBe('applied');
    expect([existsSync(join(workspace.root, 'infra/main.tf')), read('docs/main.tf')]).toEqual([false, 'resource\n']);
    const reverted = await session.call('kernel:revert-changes', {receipt_id});
    const again = String(reverted.error?.details?.['request_id']);
    await host.runtime.resolveApproval({request_id: again, approved: true, approved_by: 'olga'});
    expect([existsSync(join(workspace.root, 'docs/main.tf')), read('infra/main.tf')]).toEqual([false, 'resource\n']);
  });

  test('of a file that was changed in the meantime is a conflict', async () => {
    const session = await open([rule('ask-infra', 'approval_required', {any: {path: 'infra/**'}})]);
    const output = await session.call('held:shell', {script: outOf});
    workspace.write({'infra/main.tf': 'by hand\n'});
    const request_id = String(output.error?.details?.['request_id']);
    await host.runtime.resolveApproval({request_id, approved: true, approved_by: 'olga'});
    expect((await host.runtime.changes.of(String(output.metadata?.receipt_id)))?.kept).toMatchObject({
      state: 'conflict',
      conflicts: ['infra/main.tf'],
    });
    expect([read('infra/main.tf'), existsSync(join(workspace.root, 'docs/main.tf'))]).toEqual(['by hand\n', false]);
  });
});

describe('explaining', () => {
  const rules = (): readonly PolicyRule[] => [
    {...rule('ask-infra', 'approval_required', {any: {path: 'infra/**'}}), reason: 'a person looks'},
    {id: 'few', trigger: 'on_changes', decision: 'deny', when: {tool: 'held:*', changes: {max_files: 2}}},
    {id: 'free-only', trigger: 'on_changes', decision: 'deny', when: {tool: 'free:*', writes: 'infra/**'}},
    {id: 'odd', trigger: 'on_changes', decision: 'deny', when: {arguments: {'/odd': {equals: true}}}},
  ];

  test('names the rules that judge the changes of a call, and no others', async () => {
    const session = await open(rules());
    expect((await session.explain('held:write', {files: {}})).on_changes).toEqual([
      {
        decision: 'approval_required',
        layer: 'workspace',
        rule_id: 'ask-infra',
        reason: 'a person looks',
        where: expect.any(String) as string,
      },
      expect.objectContaining({decision: 'deny', rule_id: 'few'}),
    ]);
    expect((await session.explain('held:none', {})).on_changes).toEqual([]);
  });

  test('agrees with the call: every rule that decides about its changes was named before', async () => {
    const session = await open(rules());
    const paths = ['docs/a.md', 'infra/main.tf', 'src/x', 'src/y'];
    for (const tool of ['held:write', 'free:write']) {
      for (const count of [1, 2, 3]) {
        const files = Object.fromEntries(paths.slice(0, count).map((path) => [path, `${tool} ${count}`]));
        const {on_changes} = await session.explain(tool, {files});
        const output = await session.call(tool, {files});
        const {finished} = (await host.runtime.evidence.receipt(String(output.metadata?.receipt_id))) ?? {};
        const named = on_changes.map(({rule_id}) => rule_id);
        const decided = finished?.policy_decisions?.filter(({rule_id}) => rules().some(({id}) => id === rule_id)) ?? [];
        expect(decided.length).toBe({1: 0, 2: tool === 'held:write' ? 1 : 2, 3: 2}[count]);
        expect(named).toEqual(expect.arrayContaining(decided.map(({rule_id}) => rule_id)));
      }
    }
  });
});
