// Rules of on_changes with `mode: observe`.
import type {PolicyRule} from '@lumenflow/schemas';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
afterEach(async () => await workspace.remove());

test('a rule that observes records what it would have led to, and changes neither the files nor how a call writes', async () => {
  const observing: PolicyRule = {
    id: 'no-infra',
    trigger: 'on_changes',
    decision: 'deny',
    mode: 'observe',
    when: {changes: {any: {path: 'infra/**'}}},
  };
  workspace = makeHostWorkspace({
    copied: {held: join(import.meta.dirname, 'transactional-pack')},
    pins: {held: {trust: 'in_process'}},
    direct: ['free:write'],
    spec: {
      lanes: [{id: 'core', allowed_scopes: everything, wip_limit: 10}],
      policies: {default_decision: 'allow', rules: [observing]},
    },
    files: {'infra/main.tf': 'resource\n'},
  });
  const host = await workspace.start();
  const session = opened(await host.openSession({by: 'agent', lane: 'core'}));
  const outputs = [];
  for (const tool of ['held:write', 'free:write']) {
    outputs.push(await session.call(tool, {files: {'infra/main.tf': tool}}));
    expect(readFileSync(join(workspace.root, 'infra/main.tf'), 'utf8')).toBe(tool);
  }
  const receipts = await Promise.all(
    outputs.map(({metadata}) => host.runtime.evidence.receipt(String(metadata?.receipt_id))),
  );
  expect(receipts.map((receipt) => receipt?.started.writes)).toEqual(['transactional', 'direct']);
  // A direct write has no change set to judge.
  expect(receipts.map((receipt) => receipt?.finished?.observed?.decision)).toEqual(['deny', undefined]);
});
