// A host on a store that answers over a socket: nothing of its records is in the workspace.
import {startHost, type Host} from '@lumenflow/host';
import {createProcessTable} from '@lumenflow/kernel/conformance';
import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {createMemoryStore} from '../../support/memory-state.ts';
import {openSocketState} from '../../support/socket-state.ts';
import {serveState, type StateServer} from '../../support/state-server.ts';
import {opened} from '../../support/opened.ts';

const processes = createProcessTable();
let workspace: HostWorkspace;
let server: StateServer;
beforeEach(() => {
  workspace = makeHostWorkspace({
    firstParty: ['software-delivery'],
    files: {'README.md': 'Hello\n'},
    spec: {
      policies: {
        default_decision: 'allow',
        rules: [{id: 'ask', trigger: 'on_tool_request', decision: 'approval_required', when: {tool: 'file:list'}}],
      },
    },
  });
  server = serveState(createMemoryStore());
});
afterEach(async () => {
  await workspace.remove();
  server.close();
});

async function start(): Promise<Host> {
  return await workspace.start({state: await openSocketState(await server.port, processes.start())});
}

test('two hosts share tasks, receipts, contents and approvals through it', async () => {
  const [one, two] = [await start(), await start()];
  const session = opened(await one.openSession({by: 'ann'}));
  expect(await must(session, 'file:read', {path: 'README.md'})).toMatchObject({content: 'Hello\n'});
  const asked = await session.call('file:list', {path: '.'});
  expect(asked.error?.code).toBe('APPROVAL_REQUIRED');

  await two.runtime.refresh();
  expect(two.runtime.listTasks().map(({state}) => state)).toEqual(['active']);
  const {receipts} = await two.runtime.evidence.readTraces();
  expect(receipts.map(({started}) => started.tool_name)).toEqual(['file:list', 'file:read']);
  expect(await two.runtime.evidence.readBlob(receipts[1]?.started.input_ref ?? '')).toBe('{"path":"README.md"}');

  const [pending] = two.runtime.listApprovals({state: 'pending'});
  const answer = {request_id: pending?.request_id ?? '', approved: true, approved_by: 'olga'};
  expect(await two.runtime.resolveApproval(answer)).toMatchObject({success: true});
  expect((await session.call('file:list', {path: '.'})).success).toBe(true);

  await one.runtime.evidence.checkpoint();
  expect(await two.runtime.evidence.verify()).toMatchObject({status: 'verified', findings: []});
  const kept = join(workspace.root, '.lumenflow', 'kernel');
  expect(existsSync(kept) ? readdirSync(kept) : []).toEqual([]);
});

test('a host that starts later continues where the first one ended', async () => {
  const first = await start();
  const session = opened(await first.openSession({by: 'ann'}));
  await must(session, 'file:read', {path: 'README.md'});
  await first.close();
  const second = await start();
  const report = await second.runtime.evidence.verify();
  expect(report).toMatchObject({status: 'verified', records: 2, signed_records: 2});
  expect((await second.runtime.events.read()).map(({type}) => type)).toContain('task_created');
});

test('a store that is gone ends calls before they run', async () => {
  const state = await openSocketState(await server.port, processes.start());
  const host = await startHost({workspaceRoot: workspace.root, threads: 1, state});
  const session = opened(await host.openSession({by: 'ann'}));
  server.close();
  const output = await session.call('file:read', {path: 'README.md'});
  expect(output.error).toMatchObject({code: 'EVIDENCE_UNAVAILABLE', details: {cause: 'LOG_UNAVAILABLE', ran: false}});
  await expect(host.close()).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
});
