// The same handler on the pool and in a sandbox: the same to its author, and harmless to all others.
import type {Host, Session} from '@lumenflow/host';
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {codeOf, makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
let host: Host;
let session: Session;

beforeAll(async () => {
  workspace = makeHostWorkspace({
    copied: {both: join(import.meta.dirname, 'both-pack'), attack: join(import.meta.dirname, 'attack-pack')},
    pins: {both: {trust: 'in_process'}},
    direct: ['pool:*'],
    files: {'docs/a.md': 'a\n', 'src/secret.ts': 'export {};\n'},
  });
  host = await workspace.start({threads: 2});
  session = opened(await host.openSession({by: 'tester'}));
});
afterAll(async () => await workspace.remove());

async function modeOf(receiptId: string | undefined): Promise<string | undefined> {
  return (await host.runtime.evidence.receipt(receiptId ?? ''))?.started.execution_mode;
}

test('the same handler file gives the same output on the pool and in a sandbox', async () => {
  const pool = await session.call('pool:report', {folder: 'docs/x'});
  rmSync(join(workspace.root, 'docs/x'), {recursive: true});
  const sandbox = await session.call('sandbox:report', {folder: 'docs/x'});
  expect([await modeOf(pool.metadata?.receipt_id), await modeOf(sandbox.metadata?.receipt_id)]).toEqual([
    'pool',
    'sandbox',
  ]);
  expect(pool).toMatchObject({success: true});
  expect(sandbox.data).toEqual(pool.data);
  expect(pool.data).toMatchObject({
    lane: 'core',
    root: workspace.root,
    text: 'new\n',
    entries: ['a.md file', 'x directory'],
    refused: 'SCOPE_DENIED',
    child: {deep: [1, 'two', null]},
  });
  expect(sandbox.metadata?.artifacts_written).toEqual(pool.metadata?.artifacts_written);
});

test.each(['tool-error', 'error', 'value', 'output', 'not-json', 'cycle'])('and the same failure: %s', async (how) => {
  const [pool, sandbox] = [await session.call('pool:fail', {how}), await session.call('sandbox:fail', {how})];
  expect(pool).toMatchObject({success: false});
  expect([sandbox.error?.code, sandbox.error?.message]).toEqual([pool.error?.code, pool.error?.message]);
});

test('a handler’s console.log becomes its log and never reaches the host’s own streams', async () => {
  const streams = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write'));
  for (const tool of ['pool:misbehave', 'sandbox:misbehave']) {
    const output = await session.call(tool, {how: 'forge'});
    expect(output.data).toBe('its own');
    const receipt = await host.runtime.evidence.receipt(String(output.metadata?.receipt_id));
    const log = await host.runtime.evidence.readBlob(String(receipt?.finished?.log_ref));
    expect(log).toContain('forged');
  }
  for (const stream of streams) {
    expect(stream.mock.calls.map(([chunk]) => String(chunk)).join('')).not.toContain('forged');
    stream.mockRestore();
  }
});

test('200 MB of output are cut, and the call succeeds', async () => {
  const before = process.memoryUsage().rss;
  for (const tool of ['pool:flood', 'sandbox:flood']) {
    const output = await session.call(tool, {megabytes: 200});
    expect(output, tool).toMatchObject({success: true, data: {megabytes: 200}});
    const receipt = await host.runtime.evidence.receipt(String(output.metadata?.receipt_id));
    const log = await host.runtime.evidence.readBlob(String(receipt?.finished?.log_ref));
    expect(log?.length, tool).toBeLessThan(4 * 1024 * 1024);
    expect(log, tool).toMatch(/dropped/);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
});

test.each([
  ['never', 'misbehave', 'TOOL_TIMEOUT'],
  ['spin', 'misbehave', 'TOOL_TIMEOUT'],
  ['exit', 'misbehave', 'TOOL_CRASHED'],
  // A sandbox knows its limits and errors that nobody awaited, a thread only that it died.
  ['throwLater', 'misbehave', 'TOOL_CRASHED', 'TOOL_EXECUTION_FAILED'],
  ['memory', 'memory', 'TOOL_CRASHED', 'LIMIT_EXCEEDED'],
])('neighbours live on beside a handler that does %s', async (how, tool, code, sandboxCode = code) => {
  const bad = ['pool', 'sandbox'].map((place) => codeOf(session, `${place}:${tool}`, {how}));
  const good = Array.from({length: 6}, (_, index) =>
    must(session, index % 3 === 0 ? 'sandbox:echo' : 'pool:echo', {index}),
  );
  expect(await Promise.all(good)).toEqual(good.map((_, index) => ({index})));
  expect(await Promise.all(bad)).toEqual([code, sandboxCode]);
  expect(await must(session, 'pool:echo', {after: how})).toEqual({after: how});
});

test('children that ignore SIGTERM and outlive their handler end with the sandbox', async () => {
  expect(await codeOf(session, 'attack:fork', {marker: 'beats.txt'})).toBe('TOOL_TIMEOUT');
  const count = async (): Promise<number> =>
    String((await must(session, 'attack:read', {path: 'beats.txt'}))['content']).length;
  const first = await count();
  expect(first).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(await count()).toBe(first);
});

test('a cancelled call ends as cancelled wherever it runs', async () => {
  for (const tool of ['pool:misbehave', 'sandbox:misbehave']) {
    const controller = new AbortController();
    const running = session.call(tool, {how: 'spin'}, {signal: controller.signal});
    setTimeout(() => controller.abort(), 300);
    expect((await running).error?.code, tool).toBe('TOOL_CANCELLED');
  }
});
