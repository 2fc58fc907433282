// A person who edits a file while a call changes it, where a rule asks about the call's changes.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
beforeEach(() => {
  workspace = makeHostWorkspace({
    copied: {held: join(import.meta.dirname, 'transactional-pack')},
    pins: {held: {trust: 'in_process'}},
    spec: {
      lanes: [{id: 'core', allowed_scopes: everything}],
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
    files: {'infra/main.tf': 'resource\n'},
  });
});
afterEach(async () => await workspace.remove());

test('what somebody else has changed during the call is not parked', async () => {
  const host = await workspace.start();
  const session = opened(await host.openSession({by: 'agent', lane: 'core'}));
  const call = session.call('held:shell', {script: 'echo mine > infra/main.tf; sleep 2'});
  const views = join(workspace.root, '.lumenflow/transactions');
  const isWritten = (): boolean =>
    existsSync(views) && readdirSync(views).some((name) => existsSync(join(views, name, 'up/infra/main.tf')));
  while (!isWritten()) await sleep(5);
  workspace.write({'infra/main.tf': 'by hand\n'});
  const output = await call;
  expect(output.error).toMatchObject({code: 'WRITE_CONFLICT', details: {conflicts: ['infra/main.tf']}});
  expect(readFileSync(join(workspace.root, 'infra/main.tf'), 'utf8')).toBe('by hand\n');
  expect(host.runtime.listApprovals({state: 'pending'})).toEqual([]);
  const receipt_id = String(output.metadata?.receipt_id);
  expect((await host.runtime.changes.of(receipt_id))?.state).toBe('conflict');
  expect([await host.runtime.changes.list(), existsSync(join(views, 'parked'))]).toEqual([[], false]);
  const applied = await host.runtime.changes.apply({receipt_id, by: 'olga'});
  expect(applied).toMatchObject({success: false, error: {code: 'CHANGES_NOT_KEPT'}});
});
