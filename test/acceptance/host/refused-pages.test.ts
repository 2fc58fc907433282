// The filter of refused calls, page by page, and a call that continued after a refused connection.
import {refusalsOf} from '@lumenflow/kernel';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
afterEach(async () => await workspace.remove());

test('pages of refused calls are complete, and stay as they are while calls come', async () => {
  workspace = makeHostWorkspace({
    copied: {attack: join(import.meta.dirname, 'attack-pack')},
    files: {'note.txt': 'note\n'},
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
  const deny = async (): Promise<string> => String((await session.call('attack:env', {})).metadata?.receipt_id);
  const refused: string[] = [];
  for (let calls = 0; calls < 5; calls++) {
    refused.unshift(await deny());
    await session.call('attack:read-plainly', {path: 'note.txt'});
  }
  const seen: string[] = [];
  let before_seq: number | undefined;
  do {
    const filter = {refused: true, limit: 2, ...(before_seq !== undefined && {before_seq})};
    const page = await host.runtime.evidence.readTraces(filter);
    seen.push(...page.receipts.map(({receipt_id}) => receipt_id));
    before_seq = page.next_before_seq;
    await deny();
  } while (before_seq !== undefined);
  expect(seen).toEqual(refused);
});

test('a call that continued after a refused connection is listed', async () => {
  const network = {type: 'network' as const, posture: 'allowlist' as const, allowlist_entries: ['example.com:443']};
  workspace = makeHostWorkspace({
    files: {
      'packs/net/manifest.yaml': `id: net
version: 0.1.0
manifest_version: 1
task_types: [net]
tools:
  - name: net:reach
    description: Goes on when there is no way
    handler_entry: reach.mjs#reach
    permission: read
    required_scopes: [{type: network, posture: allowlist, allowlist_entries: ['example.com:443']}]
`,
      'packs/net/reach.mjs': `import {connect} from 'node:net';
export const reach = () => new Promise((done) => connect(443, '192.0.2.1').on('connect', () => done('open')).on('error', ({code}) => done(code)));
`,
    },
    spec: {
      packs: [{id: 'net', version: '0.1.0', integrity: 'dev', source: 'local', path: 'packs/net'}],
      lanes: [{id: 'core', allowed_scopes: [network]}],
      security: {allowed_scopes: [network]},
    },
  });
  const host = await workspace.start();
  const session = opened(await host.openSession({by: 'tester'}));
  expect(await session.call('net:reach', {})).toMatchObject({success: true, data: 'ECONNREFUSED'});
  const {receipts} = await host.runtime.evidence.readTraces({refused: true});
  expect(receipts.map(({started, finished}) => [started.tool_name, refusalsOf(finished)])).toEqual([
    ['net:reach', [{by: 'network', what: expect.stringContaining('192.0.2.1') as string}]],
  ]);
});
