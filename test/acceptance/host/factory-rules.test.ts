// Rules that a pack computes are untrusted code: if their `when` misbehaves, the call is denied and the host continues.
import type {Host, Session} from '@lumenflow/host';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const manifest = `id: moody
version: 0.1.0
manifest_version: 1
task_types: [mood]
policy_factory: policy.ts#rules
tools:
  - {name: 'moody:answer', description: Answers, handler_entry: tools.ts#answer, permission: read}
  - {name: 'calm:answer', description: Answers, handler_entry: tools.ts#answer, permission: read}
`;
const policy = `import {definePolicyFactory} from '@lumenflow/pack-sdk';
export const rules = definePolicyFactory(() => [{
  id: 'mood', trigger: 'on_tool_request', decision: 'approval_required',
  when: ({tool_name, tool_arguments}) => {
    if (tool_name !== 'moody:answer') return false;
    if (tool_arguments?.['how'] === 'throw') throw new Error('not today');
    for (;;);
  },
}]);
`;
const tools = `import {defineTool} from '@lumenflow/pack-sdk';
export const answer = defineTool<unknown, string>({run: () => 'yes'});
`;

let workspace: HostWorkspace;
let host: Host;
let session: Session;

beforeAll(async () => {
  workspace = makeHostWorkspace({
    spec: {packs: [{id: 'moody', version: '0.1.0', integrity: 'dev', source: 'local', path: 'moody'}]},
    files: {'moody/manifest.yaml': manifest, 'moody/policy.ts': policy, 'moody/tools.ts': tools},
  });
  host = await workspace.start();
  session = opened(await host.openSession({by: 'tester'}));
});
afterAll(async () => await workspace.remove());

test.each([
  ['throwing-when', 'throw', 'not today'],
  ['endless-when', 'loop', ''],
])('%s: denied, recorded, and the process is well', async (_, how, said) => {
  const output = await session.call('moody:answer', {how});
  expect(output.error).toMatchObject({code: 'POLICY_DENIED', message: expect.stringContaining(said)});
  const receipt = await host.runtime.evidence.receipt(String(output.metadata?.receipt_id));
  expect(receipt?.finished).toMatchObject({
    result: 'denied',
    policy_decisions: expect.arrayContaining([expect.objectContaining({rule_id: 'mood', decision: 'deny'})]),
  });
  expect(await must(session, 'calm:answer')).toBe('yes');
});
