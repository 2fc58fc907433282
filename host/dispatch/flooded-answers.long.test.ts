// A handler that sends many requests and consumes no answer must not exhaust the host's memory or CPU time.
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {DispatchRequest, Dispatcher, Grant} from '@lumenflow/kernel';
import {compileMatcher, parsePattern} from '@lumenflow/kernel/adapters';
import {createProcessRegistry} from '@lumenflow/kernel/node';
import {createSandbox} from '@lumenflow/sandbox';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {createPool} from '../pool/index.ts';
import {createDispatcher} from './create-dispatcher.ts';

const handlers = fileURLToPath(new URL('./fixtures/handlers.mjs', import.meta.url));
const runnerPath = fileURLToPath(new URL('../../sandbox/dist/runner.cjs', import.meta.url));
const mebibyte = 1024 * 1024;
const fileBytes = 20 * mebibyte;

let base: string;
let dispatcher: Dispatcher;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'flooded-')));
  mkdirSync(join(base, 'docs'));
  writeFileSync(join(base, 'docs/large'), Buffer.alloc(fileBytes, 'x'));
  dispatcher = createDispatcher({
    pool: createPool({threadsMax: 1, graceMs: 50}),
    sandbox: createSandbox({searchPath: '/usr/bin:/bin', runnerPath}),
    workspaceRoot: base,
    stateFolder: join(base, 'state'),
    env: {},
    home: '/nonexistent',
    processes: createProcessRegistry(),
    now: () => Date.now(),
  });
});
afterAll(async () => {
  await dispatcher.close();
  rmSync(base, {recursive: true, force: true});
});

const grant = {
  read: patternsOf('docs/**'),
  write: [],
  network: {posture: 'off', allowlist_entries: []},
  holes: {list: [], cuts: () => false},
  allows: (path: string) => compileMatcher(patternsOf('docs/**'))(path),
  whyNot: () => undefined,
  toGrantedScopes: () => ({read: ['docs/**'], write: [], network: {posture: 'off', allowlist_entries: []}}),
} as unknown as Grant;

function patternsOf(text: string) {
  const parsed = parsePattern(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value;
}

async function call(name: string, trust: 'in_process' | 'sandboxed', input: unknown) {
  const request = {
    receipt_id: 'rcp-1',
    depth: 0,
    tool: {
      name: `demo:${name}`,
      module_path: handlers,
      export_name: name,
      declaration: {
        name: `demo:${name}`,
        handler_entry: `handlers.mjs#${name}`,
        handler: 'in_process',
        permission: 'read',
      },
      pack: {pin: {id: 'demo', version: '1.0.0', integrity: 'dev', source: 'local', trust}, config: {}},
    },
    input,
    task_id: 'task-1',
    run_id: 'run-1',
    session_id: 'ses-1',
    lane_id: 'lane-1',
    grant,
    scope_enforced: grant.toGrantedScopes(),
    writes: 'direct',
    onProgress: () => {},
    onLog: () => {},
  } as unknown as DispatchRequest;
  return await dispatcher.dispatch(request);
}

/** This process's peak memory and CPU time, which do not depend on the machine's load. */
async function cost<T>(work: () => Promise<T>): Promise<{result: T; bytes: number; cpuMs: number; stallMs: number}> {
  const before = process.memoryUsage().rss;
  const cpu = process.cpuUsage();
  let peak = before;
  let last = performance.now();
  let stallMs = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
    stallMs = Math.max(stallMs, performance.now() - last);
    last = performance.now();
  }, 5);
  const result = await work();
  clearInterval(timer);
  const {user, system} = process.cpuUsage(cpu);
  return {result, bytes: peak - before, cpuMs: (user + system) / 1000, stallMs};
}

test('1,000 requests for a 20 MiB file cost the host less than 200 MiB when no answer is consumed', async () => {
  await call('where', 'sandboxed', {});
  const input = {path: 'docs/large', count: 1000, blockMs: 1500};
  const {result, bytes, cpuMs} = await cost(() => call('flood', 'sandboxed', input));
  expect(result.output).toMatchObject({success: true});
  expect(bytes).toBeLessThan(200 * mebibyte);
  expect(cpuMs).toBeLessThan(1500);
});

test.each(['sandboxed', 'in_process'] as const)(
  '%s: answers that are taken arrive whole, one after the other, however many are asked for at once',
  async (trust) => {
    const {result, bytes} = await cost(() => call('readMany', trust, {path: 'docs/large', count: 6}));
    expect(result.output).toEqual({success: true, data: [fileBytes]});
    expect(bytes).toBeLessThan((trust === 'in_process' ? 450 : 250) * mebibyte);
  },
);

test('a blocked thread has few pending answers', async () => {
  const input = {path: 'docs/large', count: 10, blockMs: 500};
  const {result, bytes} = await cost(() => call('readMany', 'in_process', input));
  expect(result.output).toEqual({success: true, data: [fileBytes]});
  expect(bytes).toBeLessThan(450 * mebibyte);
});
