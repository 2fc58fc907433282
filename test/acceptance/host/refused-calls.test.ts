// What was refused is found by one filter, wherever it was refused.
import {refusalsOf} from '@lumenflow/kernel';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace | undefined;
afterEach(() => workspace?.remove());

test('calls that policy or the operating system refused are listed, newest first, and no others', async () => {
  workspace = makeHostWorkspace({
    copied: {attack: join(import.meta.dirname, 'attack-pack')},
    files: {'note.txt': 'note\n', '.env': 'SECRET=1\n'},
    spec: {
      security: {allowed_scopes: everything},
      policies: {
        default_decision: 'allow',
        rules: [{id: 'no-env', trigger: 'on_tool_request', decision: 'deny', when: {tool: 'attack:env'}}],
      },
    },
  });
  const host = await workspace.start();
  const session = opened(await host.openSession({by: 'tester'}));
  await session.call('attack:env', {});
  expect(await session.call('attack:read-plainly', {path: 'note.txt'})).toMatchObject({success: true});
  expect(await session.call('attack:read-plainly', {path: '.env'})).toMatchObject({success: false});
  await session.call('attack:read-plainly', {path: 'missing'});
  const {evidence} = host.runtime;
  const {receipts} = await evidence.readTraces({refused: true});
  expect(receipts.map(({finished}) => refusalsOf(finished))).toEqual([
    [{by: 'system', what: expect.stringMatching(/^system EACCES open .*\.env$/)}],
    [{by: 'policy', what: expect.stringContaining('POLICY_DENIED')}],
  ]);
  const first = await evidence.readTraces({refused: true, limit: 1});
  expect(first.receipts).toEqual(receipts.slice(0, 1));
  const second = await evidence.readTraces({
    refused: true,
    ...(first.next_before_seq && {before_seq: first.next_before_seq}),
  });
  expect(second.receipts).toEqual(receipts.slice(1));
});

test('refusals that a handler caught are listed: a path by its own call, a nested call by that one', async () => {
  workspace = makeHostWorkspace({
    copied: {held: join(import.meta.dirname, 'transactional-pack')},
    files: {'docs/a.md': 'a\n', 'src/a.ts': ''},
    spec: {
      security: {allowed_scopes: everything},
      policies: {
        default_decision: 'allow',
        rules: [
          {id: 'no-shell', trigger: 'on_tool_request', decision: 'deny', when: {tool: 'held:shell'}},
          {id: 'no-docs', trigger: 'on_changes', decision: 'deny', when: {writes: 'docs/**'}},
        ],
      },
    },
  });
  const host = await workspace.start();
  const session = opened(await host.openSession({by: 'tester'}));
  const refusals = async (input: object): Promise<unknown> => {
    const output = await session.call('held:attempt', input);
    expect(output).toMatchObject({success: true});
    const {receipts} = await host.runtime.evidence.readTraces({refused: true});
    const own = receipts.filter(
      ({receipt_id, started}) =>
        receipt_id === output.metadata?.receipt_id || started.parent_receipt_id === output.metadata?.receipt_id,
    );
    return own.map(({started, finished}) => [started.tool_name, refusalsOf(finished).map(({by}) => by)]);
  };
  const write = {tool: 'held:write', input: {files: {'docs/b.md': 'b'}}};
  expect(await refusals({read: 'docs/a.md'})).toEqual([]);
  expect(await refusals({read: 'src/a.ts'})).toEqual([['held:attempt', ['path']]]);
  expect(await refusals({read: '../outside'})).toEqual([['held:attempt', ['path']]]);
  expect(await refusals({call: {tool: 'held:shell', input: {script: 'true'}}})).toEqual([['held:shell', ['policy']]]);
  expect(await refusals({call: write})).toEqual([['held:write', ['policy']]]);
});
