// Transactional calls, from the manifest and workspace.yaml to the receipt.
import type {Host} from '@lumenflow/host';
import type {ChangeSet, EvidenceRecord} from '@lumenflow/schemas';
import {createHash} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
let host: Host;

beforeAll(async () => {
  workspace = makeHostWorkspace({
    copied: {held: join(import.meta.dirname, 'transactional-pack')},
    pins: {held: {trust: 'in_process'}},
    direct: ['free:write'],
    spec: {
      lanes: [
        {id: 'core', allowed_scopes: everything, wip_limit: 10},
        {id: 'careful', allowed_scopes: everything, wip_limit: 10, writes: 'transactional'},
      ],
    },
    files: {'docs/a.md': 'a\n'},
  });
  host = await workspace.start();
});
afterAll(async () => await workspace.remove());

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Keys in order, at every depth. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

type Finished = Extract<EvidenceRecord, {type: 'tool_call_finished'}>;

async function call(lane: string, tool: string, input: unknown): Promise<{mode: string; finished: Finished}> {
  const session = opened(await host.openSession({by: 'tester', lane}));
  const {metadata} = await session.call(tool, input);
  const receipt = await host.runtime.evidence.receipt(metadata?.receipt_id ?? '');
  await session.complete();
  if (receipt?.finished === undefined) throw new Error(`no receipt of ${tool}`);
  return {mode: receipt.started.execution_mode, finished: receipt.finished};
}

test('the receipt lists what was applied, and anybody can compute its digest', async () => {
  const {finished} = await call('core', 'held:write', {files: {'docs/new.md': 'new'}});
  expect(finished).toMatchObject({result: 'success', artifacts_written: ['docs/new.md']});
  const {changes} = finished;
  expect(changes).toMatchObject({
    state: 'applied',
    count: 1,
    bytes: 3,
    list: [{path: 'docs/new.md', op: 'create', after: {kind: 'file', bytes: 3, sha256: sha256('new')}}],
  });
  const set = JSON.parse((await host.runtime.evidence.readBlob(changes?.ref ?? '')) ?? '') as ChangeSet;
  const entries: unknown = JSON.parse(
    JSON.stringify(set.entries, (key, part: unknown) => (key === 'content_ref' ? undefined : part)),
  );
  expect(changes?.digest).toBe(sha256(canonical({base: sha256('[]'), entries})));
  const {content_ref = ''} = set.entries[0]?.after ?? {};
  expect(await host.runtime.evidence.readBlob(content_ref)).toBe('new');
  expect(readFileSync(join(workspace.root, 'docs/new.md'), 'utf8')).toBe('new');
});

test('a call that fails is discarded, and its receipt says what it had written', async () => {
  const {finished} = await call('core', 'held:write', {files: {'docs/a.md': 'spoilt', 'docs/b.md': 'b'}, fail: true});
  expect(finished).toMatchObject({result: 'failure', error_code: 'TOOL_EXECUTION_FAILED'});
  expect(finished.changes).toMatchObject({state: 'discarded', count: 2});
  expect(finished.artifacts_written).toBeUndefined();
  expect(readFileSync(join(workspace.root, 'docs/a.md'), 'utf8')).toBe('a\n');
  expect(existsSync(join(workspace.root, 'docs/b.md'))).toBe(false);
});

test('a lane’s setting applies to tools without their own, and takes them off the pool', async () => {
  const direct = await call('core', 'free:write', {files: {'docs/direct.md': 'x'}});
  expect(direct).toMatchObject({mode: 'pool'});
  expect(direct.finished.changes).toBeUndefined();
  const held = await call('careful', 'free:write', {files: {'docs/held.md': 'x'}});
  expect(held).toMatchObject({mode: 'sandbox', finished: {result: 'success', changes: {state: 'applied', count: 1}}});
  expect(readFileSync(join(workspace.root, 'docs/held.md'), 'utf8')).toBe('x');
});

test('a trusted file condemns all of a call, naming it', async () => {
  const {finished} = await call('core', 'held:write', {files: {'docs/innocent.md': 'x', '.mcp.json': '{}'}});
  expect(finished).toMatchObject({error_code: 'SCOPE_DENIED', changes: {state: 'discarded', count: 2}});
  expect(finished.error_message).toContain('.mcp.json');
  expect(existsSync(join(workspace.root, 'docs/innocent.md'))).toBe(false);
});

test('nothing of it is left in the state of the runtime, nor of spares that wait for calls once the host is closed', async () => {
  await host.close();
  expect(existsSync(join(workspace.root, '.lumenflow/transactions'))).toBe(false);
});
