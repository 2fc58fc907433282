// Warm calls that have a network: it was made before they came, was closed until then, and is theirs alone.
import {readFileSync, readdirSync} from 'node:fs';
import {createServer} from 'node:net';
import {setTimeout as delay} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {SandboxRequest, SandboxResult} from '../backends/sandbox-call.ts';
import type {WarmPoolCounters} from '../backends/warm-pool-counters.ts';
import {descendantsOf} from '../limits/process-tree.ts';
import {createNetworkBench, networkObstacle, type NetworkBench} from '../testing/network-bench.fixture.ts';
import type {Call} from '../testing/sandbox-bench.fixture.ts';

const obstacle = networkObstacle();
if (obstacle !== undefined) process.stderr.write(`skipped: warm calls with a network: ${obstacle}\n`);

const warm = {packHash: 'sha256:1'};

describe.skipIf(obstacle !== undefined)('a spare with a network', () => {
  test('sends everything that its call wrote, and leaves nothing open', async () => {
    let arrived = 0;
    const own = await createNetworkBench({}, {warm: {sparesOfKindMax: 1}});
    const port = await own.listen(
      createServer((socket) => socket.on('error', () => undefined).on('data', ({length}) => (arrived += length))),
    );
    const open = () => ({
      descriptors: readdirSync('/proc/self/fd').length,
      processes: descendantsOf(process.pid).length,
    });
    const before = open();
    const entry = own.handler(
      `const socket = net.connect(${port}, '127.0.0.1'); await new Promise((done) => socket.write(Buffer.alloc(1_000_000), done)); return 1;`,
    );
    const call = () => own.bench.run(entry, {allow: [`127.0.0.1:${port}`], request: {warm}});
    const starts = [(await call()).enforcement.start];
    await expect.poll(() => own.bench.sandbox.warmPool()?.spares, {timeout: 60_000}).toBe(1);
    starts.push((await call()).enforcement.start);
    expect(starts).toEqual(['cold', 'warm']);
    await expect.poll(() => arrived, {timeout: 60_000}).toBe(2_000_000);
    await own.bench.sandbox.close();
    await expect.poll(open, {timeout: 60_000}).toEqual(before);
    await own.remove();
  });
});

describe.skipIf(obstacle !== undefined)('a warm call with a network', () => {
  let network: NetworkBench;
  const names: Record<string, readonly string[]> = {};
  beforeAll(async () => {
    network = await createNetworkBench(names, {warm: {sparesOfKindMax: 1}});
  });
  afterAll(() => network.remove());

  const counters = (): WarmPoolCounters => {
    const found = network.bench.sandbox.warmPool();
    if (found === undefined) throw new Error('the sandbox has no warm pool');
    return found;
  };

  /** Resolves once no more spares are being started. */
  async function settled(): Promise<void> {
    do await delay(20);
    while (counters().starting > 0);
  }

  /** In its own file, so that no spare of another test serves it. */
  function handler(
    body: string,
    top?: string,
  ): (call: Call, request?: Partial<SandboxRequest>) => Promise<SandboxResult> {
    const entry = network.handler(body, top);
    return (call, request) => network.bench.run(entry, {...call, request: {warm, ...request}});
  }

  test('reaches what is listed, and its receipt lists only its own connections', async () => {
    const call = handler(
      `return [await tcp('api.test', ${network.echo}), await tcp('10.0.0.1', 80), input.more ? await tcp('other.test', 1) : 'not asked'];`,
    );
    const allow = [`api.test:${network.echo}`, `127.0.0.1:${network.echo}`];
    await call({allow, input: {more: true}});
    await settled();
    const {output, enforcement} = await call({allow});
    expect(output.data).toEqual(['ping', 'ECONNREFUSED', 'not asked']);
    expect(enforcement).toMatchObject({start: 'warm', tier: 'standard', degraded: []});
    expect(enforcement.connections).toEqual([
      {
        destination: `api.test:${network.echo}`,
        rule: allow[0],
        allowed: true,
        attempts: 1,
        bytes_sent: 4,
        bytes_received: 4,
      },
      {destination: '10.0.0.1:80', allowed: false, attempts: 1, bytes_sent: 0, bytes_received: 0},
    ]);
    expect(enforcement.denials).toEqual(['network 10.0.0.1:80: no entry allows it']);
  });

  test('of `full` cannot reach the host, like a cold one', async () => {
    const call = handler(`return await tcp('127.0.0.1', ${network.secret});`);
    await call({network: 'full'});
    await settled();
    const {output, enforcement} = await call({network: 'full'});
    expect([output.data, enforcement.start]).toEqual(['ECONNREFUSED', 'warm']);
  });

  test('resolves names itself; addresses from the start of the spare do not count', async () => {
    names['moving.test'] = ['127.0.0.1'];
    const call = handler(`return await tcp('moving.test', ${network.echo});`);
    const allow = [`moving.test:${network.echo}`, `127.0.0.1:${network.echo}`];
    expect((await call({allow})).output.data).toBe('ping');
    await settled();
    names['moving.test'] = ['127.0.0.99'];
    const {output, enforcement} = await call({allow});
    expect([output.data, enforcement.start]).toEqual(['ECONNRESET', 'warm']);
    expect(network.asked.filter((name) => name === 'moving.test')).toHaveLength(2);
  });

  test.each([
    [
      'connects',
      (port: number) =>
        `import net from 'node:net'; net.connect(${port}, '127.0.0.1').on('error', () => {}).write('early');`,
    ],
    ['asks for a name', () => `import dns from 'node:dns'; dns.lookup('api.test', () => {});`],
    [
      'connects once it is ready',
      (port: number) =>
        `import net from 'node:net'; setTimeout(() => net.connect(${port}, '127.0.0.1').on('error', () => {}).write('early'), 100);`,
    ],
  ])('is not served by a spare that %s before it has come, and nobody outside hears of that', async (_, top) => {
    const received: string[] = [];
    const port = await network.listen(
      createServer((socket) => socket.on('data', (data) => received.push(String(data)))),
    );
    // The first call has the same module, so its connection arrives; those of later spares must not.
    const call = handler('return 1;', top(port));
    const allow = [`127.0.0.1:${port}`, `api.test:${port}`];
    await settled();
    const {spares} = counters();
    await call({allow});
    const before = {asked: network.asked.length, received: received.length};
    await settled();
    await expect.poll(() => counters().spares, {timeout: 60_000}).toBe(spares);
    expect({asked: network.asked.length, received: received.length}).toEqual(before);
    const {output, enforcement} = await call({allow});
    expect([output.data, enforcement.start]).toEqual([1, 'cold']);
    // The spare that this call left must end too, before the next test counts.
    await settled();
    await expect.poll(() => counters().spares, {timeout: 60_000}).toBe(spares);
  });

  test('is not served under another allowlist, nor where a sandbox is shared, nor where very many sockets would wait', async () => {
    const call = handler('return 1;');
    const allow = [`api.test:${network.echo}`];
    const many = Array.from({length: 33}, (_, port) => `api.test:${port + 1}`);
    for (const other of [allow, [...allow, 'api.test:1'], many, many]) {
      expect((await call({allow: other})).enforcement.start).toBe('cold');
      await settled();
    }
    const shared = {warm: {...warm, reuseForTask: 'a'}};
    expect((await call({allow}, shared)).enforcement.start).toBe('cold');
    expect((await call({allow}, shared)).enforcement.start).toBe('cold');
    expect((await call({allow})).enforcement.start).toBe('warm');
  });

  test('gets its secret from its invocation: no waiting process has it', async () => {
    const call = handler('return context.env.KEY;');
    const granted = {allow: [`api.test:${network.echo}`], env: {KEY: 'swordfish-8473'}};
    await call(granted);
    await settled();
    const shown = descendantsOf(process.pid).flatMap((pid) =>
      ['environ', 'cmdline'].map((name) => readIfAlive(`/proc/${pid}/${name}`)),
    );
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.join('\n')).not.toContain('swordfish');
    const {output, enforcement} = await call(granted);
    expect([output.data, enforcement.start]).toEqual(['swordfish-8473', 'warm']);
  });
});

function readIfAlive(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // Ended since it was listed.
    return '';
  }
}
