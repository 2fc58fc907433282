// Packs that are being written, in a host that lives on: an edit takes effect, a broken one does not, nothing in flight notices.
import type {Host, Session} from '@lumenflow/host';
import type {PackReload} from '@lumenflow/kernel';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {toolsOfPacks} from '../../support/tools-of-packs.ts';
import {opened} from '../../support/opened.ts';

const patience = {timeout: 10_000, interval: 10};
let workspace: HostWorkspace;
let host: Host;
let session: Session;
let reloads: PackReload[];

const manifest = (more = ''): string => `id: live
version: 0.1.0
manifest_version: 1
task_types: [live-task]
tools:
  - {name: 'live:say', description: Says a word, handler_entry: tools/say.ts#say, handler: in_process, permission: read}
  - {name: 'live:wait', description: Waits, handler_entry: tools/wait.ts#wait, permission: write, writes: direct, required_scopes: [{type: path, pattern: '**', access: write}]}
${more}`;
const saying = (word: string): string => `export const say = () => ({word: '${word}'});\n`;
const rule = `policies:
  - {id: no-say, trigger: on_tool_request, decision: deny, when: {tool: 'live:say'}}
`;
/** Reports its start, waits for permission to end, then calls another tool of the pack. */
const waiting = `import {defineTool} from '@lumenflow/pack-sdk';
export const wait = defineTool<{name: string}>({
  async run({name}, {fs, callTool}) {
    await fs.write(name + '.begun', '');
    while ((await fs.stat(name + '.end')) === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
    return (await callTool('live:say', {})).data;
  },
});
`;

async function open(
  options: Parameters<HostWorkspace['start']>[0] = {},
  files: Record<string, string> = {},
): Promise<void> {
  reloads = [];
  workspace = makeHostWorkspace({
    spec: {
      packs: [{id: 'live', version: '0.1.0', integrity: 'dev', source: 'local', path: 'live', trust: 'in_process'}],
    },
    // A call that waits for a file of the test shows the test another one.
    direct: ['live:wait'],
    files: {
      'live/manifest.yaml': manifest(),
      'live/tools/say.ts': saying('one'),
      'live/tools/wait.ts': waiting,
      ...files,
    },
  });
  host = await workspace.start({watch: true, onReload: (reload) => reloads.push(reload), ...options});
  session = opened(await host.openSession({by: 'author'}));
}
afterEach(async () => await workspace.remove());

const say = async (): Promise<unknown> => (await must(session, 'live:say'))['word'];
async function nextReload(status: PackReload['status'], edit: () => void): Promise<PackReload> {
  const before = reloads.length;
  edit();
  return await vi.waitFor(() => {
    const found = reloads.slice(before).find((reload) => reload.status === status);
    if (!found) throw new Error(`no reload was ${status} yet`);
    return found;
  }, patience);
}

test('an edit takes effect without a restart; listeners are notified, and evidence names the version of each call', async () => {
  await open();
  const received = vi.fn<(change: unknown) => void>();
  const stop = host.runtime.packs.subscribe(received);
  const before = await session.call('live:say', {});
  await nextReload('changed', () => workspace.write({'live/tools/say.ts': saying('two')}));
  const after = await session.call('live:say', {});
  expect([before.data, after.data]).toEqual([{word: 'one'}, {word: 'two'}]);

  const [first, second] = await Promise.all(
    [before, after].map(async ({metadata}) => await host.runtime.evidence.receipt(String(metadata?.receipt_id))),
  );
  const [previous_integrity, integrity] = [first?.started.pack_integrity, second?.started.pack_integrity];
  expect(integrity).not.toBe(previous_integrity);
  const packs = [{id: 'live', version: '0.1.0', integrity, previous_integrity}];
  expect(received.mock.calls).toEqual([[{type: 'tools_changed', packs}]]);
  stop();
  await nextReload('changed', () => workspace.write({'live/tools/say.ts': saying('three')}));
  expect(received).toHaveBeenCalledTimes(1);
});

test('a broken edit is reported with its position and changes nothing; a fix restores the pack', async () => {
  await open();
  const broken = await nextReload('failed', () => workspace.write({'live/tools/say.ts': 'export const say = (;\n'}));
  expect(broken.problems).toEqual([expect.objectContaining({severity: 'error', where: 'live/tools/say.ts:1:21'})]);
  expect(await say()).toBe('one');
  expect((await nextReload('unchanged', () => workspace.write({'live/tools/say.ts': saying('one')}))).problems).toEqual(
    [],
  );
  expect(await say()).toBe('one');
});

test('tools and rules come and go with the manifest', async () => {
  await open();
  await nextReload('changed', () => workspace.write({'live/manifest.yaml': manifest(rule)}));
  expect((await session.call('live:say', {})).error?.code).toBe('POLICY_DENIED');
  const more = `  - {name: 'live:more', description: More, handler_entry: tools/say.ts#say, permission: read}\n`;
  await nextReload('changed', () => workspace.write({'live/manifest.yaml': manifest(more)}));
  expect(toolsOfPacks(await session.tools()).map(({tool}) => tool.name)).toEqual([
    'live:more',
    'live:say',
    'live:wait',
  ]);
  expect(await must(session, 'live:more')).toEqual({word: 'one'});
  await nextReload('changed', () => workspace.write({'live/manifest.yaml': manifest()}));
  expect((await session.call('live:more', {})).error?.code).toBe('TOOL_NOT_FOUND');
});

test('a call in flight, and the calls it makes, end on the version they began on', async () => {
  await open();
  const inFlight = session.call('live:wait', {name: 'a'});
  await vi.waitFor(() => expect(existsSync(join(workspace.root, 'a.begun'))).toBe(true), patience);
  await nextReload('changed', () => workspace.write({'live/tools/say.ts': saying('two')}));
  expect(await say()).toBe('two');
  writeFileSync(join(workspace.root, 'a.end'), '');
  expect((await inFlight).data).toEqual({word: 'one'});
});

test('closing waits for a call in flight on a version that was replaced', async () => {
  await open();
  const inFlight = session.call('live:wait', {name: 'a'});
  await vi.waitFor(() => expect(existsSync(join(workspace.root, 'a.begun'))).toBe(true), patience);
  await nextReload('changed', () => workspace.write({'live/tools/say.ts': saying('two')}));
  const closed = host.close();
  writeFileSync(join(workspace.root, 'a.end'), '');
  expect((await inFlight).data).toEqual({word: 'one'});
  await closed;
});

test('an approval given to one version does not apply to the next', async () => {
  const asking = rule.replace('deny', 'approval_required');
  await open({}, {'live/manifest.yaml': manifest(asking)});
  const request = async (): Promise<string> =>
    String((await session.call('live:say', {})).error?.details?.['request_id']);
  const first = await request();
  const answer = {request_id: first, approved: true, approved_by: 'reviewer'};
  expect(await host.runtime.resolveApproval(answer)).toMatchObject({success: true});
  await nextReload('changed', () => workspace.write({'live/tools/say.ts': saying('two')}));
  expect(await request()).not.toBe(first);
});

test('workspace.yaml stays as it was loaded: an edit takes effect at a restart, even if packs reload', async () => {
  await open();
  const text = readFileSync(join(workspace.root, 'workspace.yaml'), 'utf8');
  workspace.write({'workspace.yaml': `${text}# edited\n`});
  await nextReload('changed', () => workspace.write({'live/tools/say.ts': saying('two')}));
  expect((await session.call('live:say', {})).error?.code).toBe('SPEC_TAMPERED');
});

test('a pinned pack is not read again', async () => {
  await open();
  const pinned = host.runtime.workspace.packs.get('live')?.integrity;
  await host.close();
  const spec = {...workspace.spec, packs: [{...workspace.spec.packs[0], integrity: pinned}]};
  workspace.write({'workspace.yaml': JSON.stringify(spec)});
  host = await workspace.start();
  session = opened(await host.openSession({by: 'author'}));
  workspace.write({'live/tools/say.ts': saying('two')});
  expect(await host.runtime.packs.reload()).toEqual({status: 'unchanged', problems: []});
  expect(await say()).toBe('one');
});

test('without `watch`, reloading needs a request; after closing it is impossible', async () => {
  await open({watch: false});
  workspace.write({'live/tools/say.ts': saying('two')});
  expect(await say()).toBe('one');
  const both = await Promise.all([host.runtime.packs.reload(), host.runtime.packs.reload()]);
  expect(both.map(({status}) => status)).toEqual(['changed', 'unchanged']);
  expect(await say()).toBe('two');
  await host.close();
  await expect(host.runtime.packs.reload()).rejects.toMatchObject({code: 'RUNTIME_CLOSED'});
});
