// Calls that share a program in a real sandbox: what it keeps, what ends it, and what their receipts say of it.
import {renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {SandboxResult} from '../backends/sandbox-call.ts';
import {descendantsOf} from '../limits/process-tree.ts';
import {createNetworkBench, networkObstacle, type NetworkBench} from '../testing/network-bench.fixture.ts';
import type {Call} from '../testing/sandbox-bench.fixture.ts';
import type {LastingRequest, Span} from '../backends/lasting-request.ts';

const obstacle = networkObstacle();
if (obstacle !== undefined) process.stderr.write(`skipped: sandboxes that last: ${obstacle}\n`);

/** Counts its calls in memory, and does what its input says. */
const body = `
  globalThis.calls = (globalThis.calls ?? 0) + 1;
  if (input.exit) setTimeout(() => process.exit(3), 20);
  if (input.grow) setTimeout(() => { for (let file = 0; file < 50; file += 1) fs.writeFileSync('/tmp/' + file, ''); }, 20);
  if (input.wait) await new Promise((_, reject) => context.signal.addEventListener('abort', () => reject(context.signal.reason)));
  if (input.hang) for (;;);
  if (input.port) return await tcp('127.0.0.1', input.port);
  if (input.read) return fs.readFileSync(input.read, 'utf8');
  return globalThis.calls;`;

describe.skipIf(obstacle !== undefined)('a program that lasts', () => {
  let network: NetworkBench;
  const alive = (): number => descendantsOf(process.pid).length;
  /** Processes of the bench itself. */
  let before: number;
  beforeAll(async () => {
    network = await createNetworkBench();
    before = alive();
  });
  afterAll(() => network.remove());

  let spans = 0;
  function program(more: Partial<LastingRequest> = {}): (call?: Call) => Promise<SandboxResult> {
    const entry = network.handler(body);
    const span: Span = {lifetime: 'session', id: `s-${++spans}`};
    const lasting = {span, programHash: 'sha256:1', idleMs: 60_000, survives: () => true, ...more};
    return (call = {}) => network.bench.run(entry, {...call, request: {lasting, ...call.request}});
  }
  const serverOf = ({enforcement: {server}}: SandboxResult) => server;

  test('keeps its state from call to call, and the receipts count them', async () => {
    const call = program();
    const [first, second] = [await call(), await call()];
    expect([first.output.data, second.output.data]).toEqual([1, 2]);
    expect([first, second].map(({enforcement: {start}}) => start)).toEqual(['cold', 'reused']);
    expect([first, second].map(serverOf)).toEqual([
      {lifetime: 'session', start: 1, call: 1},
      {lifetime: 'session', start: 1, call: 2},
    ]);
    expect((await program()()).output.data).toBe(1);
  });

  test('is another one for a call that is granted less', async () => {
    network.bench.put('docs/a.md', 'a');
    const call = program();
    expect((await call({read: ['docs/**'], input: {read: 'docs/a.md'}})).output.data).toBe('a');
    const less = await call({input: {read: 'docs/a.md'}});
    expect(less.output).toMatchObject({success: false, error: {message: expect.stringContaining('ENOENT')}});
    expect((await call({read: ['docs/**']})).output.data).toBe(2);
  });

  test('never writes to the workspace', async () => {
    const {output} = await program()({write: ['docs/**']});
    expect(output.error).toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining('cannot write to the workspace'),
    });
  });

  test('is started again after a crash, and the receipt says so', async () => {
    const call = program();
    await call({input: {exit: true}});
    await delay(200);
    const next = await call();
    expect(next.output.data).toBe(1);
    expect(serverOf(next)).toEqual({lifetime: 'session', start: 2, call: 1, restarted_after: 'crash'});
    expect(serverOf(await call())).toEqual({lifetime: 'session', start: 2, call: 2});
  });

  test('is started again when an output says that it cannot continue', async () => {
    const call = program({survives: ({data}) => data !== 2});
    const outputs = [await call(), await call(), await call()];
    expect(outputs.map(({output}) => output.data)).toEqual([1, 2, 1]);
    expect(serverOf(outputs[2] as SandboxResult)?.restarted_after).toBe('crash');
  });

  test('survives a cancellation and a timeout to which it responds, and no other', async () => {
    const call = program();
    await call();
    const cancelled = await call({input: {wait: true}, request: {signal: AbortSignal.timeout(200)}});
    const late = await call({input: {wait: true}, wallMs: 200});
    expect([cancelled.output.error?.code, late.output.error?.code]).toEqual(['TOOL_CANCELLED', 'TOOL_TIMEOUT']);
    const unborn = await call({request: {signal: AbortSignal.abort()}});
    expect(unborn.output.error?.code).toBe('TOOL_CANCELLED');
    expect((await call()).output.data).toBe(4);
    expect((await call({input: {hang: true}, wallMs: 200})).output.error?.code).toBe('TOOL_TIMEOUT');
    expect(serverOf(await call())).toMatchObject({start: 2, restarted_after: 'timeout'});
  });

  test('ends when a file that is hidden from it is replaced, and when one is hidden that it could read', async () => {
    const env = network.bench.put('docs/.env', 'old');
    const call = program();
    const read = {read: ['docs/**']};
    await call(read);
    writeFileSync(join(network.bench.folder, 'new'), 'new');
    renameSync(join(network.bench.folder, 'new'), env);
    await delay(100);
    expect(serverOf(await call(read))).toMatchObject({start: 2, restarted_after: 'changed'});
    network.bench.put('docs/more/.env', 'more');
    expect(serverOf(await call(read))).toMatchObject({start: 3, restarted_after: 'changed'});
  });

  test('ends between two calls when it exceeds a limit', async () => {
    const call = program();
    const limits = {tmp_files: 20};
    await call({limits, input: {grow: true}});
    const running = alive();
    await expect.poll(alive, {timeout: 60_000}).toBeLessThan(running);
    expect(serverOf(await call({limits}))).toMatchObject({start: 2, restarted_after: 'limit'});
  });

  test('ends when it is idle, and when its span is over', async () => {
    network.bench.sandbox.endSpans(() => true);
    await expect.poll(alive).toBe(before);
    const idle = program({idleMs: 100});
    await idle();
    await expect.poll(alive).toBe(before);
    expect(serverOf(await idle())).toMatchObject({start: 2, restarted_after: 'idle'});
    const span: Span = {lifetime: 'task', id: 'over'};
    const call = program({span});
    await call();
    network.bench.sandbox.endSpans(({id}) => id === 'over');
    expect(serverOf(await call())).toEqual({lifetime: 'task', start: 1, call: 1});
    network.bench.sandbox.endSpans(() => true);
    await expect.poll(alive).toBe(before);
  });

  test('has a network, whose connections are those of each call', async () => {
    const call = program();
    const ask = () => call({allow: [`127.0.0.1:${network.echo}`], input: {port: network.echo}});
    for (const _ of [1, 2]) {
      const {output, enforcement} = await ask();
      expect(output.data).toBe('ping');
      expect(enforcement.connections).toMatchObject([{allowed: true, attempts: 1, bytes_sent: 4}]);
    }
    const denied = await call({allow: [`127.0.0.1:${network.echo}`], input: {port: network.secret}});
    expect(denied.output.data).toBe('ECONNREFUSED');
  });
});
