// Calls under an allowlist through the real thing: what is listed is reached as it is, and streams stay whole.
import {createHash} from 'node:crypto';
import {readdirSync} from 'node:fs';
import {createServer} from 'node:net';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {createNetworkBench, networkObstacle, type NetworkBench} from '../testing/network-bench.fixture.ts';
import {allowlistPolicy} from './allowlist-policy.ts';
import {createSandboxNetwork} from './create-sandbox-network.ts';
import {findNetworkPrograms} from './network-programs.ts';

const obstacle = networkObstacle();
if (obstacle !== undefined) process.stderr.write(`skipped: calls under an allowlist: ${obstacle}\n`);

describe.skipIf(obstacle !== undefined)('a call under an allowlist', () => {
  let network: NetworkBench;
  let [echo, echo6] = [0, 0];
  beforeAll(async () => {
    network = await createNetworkBench();
    ({echo, echo6} = network);
  });
  afterAll(() => network.remove());

  test('reaches names, addresses, ranges and subdomains, over IPv4 and IPv6', async () => {
    const {output, enforcement} = await network.run(
      `const {lookup} = await import('node:dns/promises');
       return {
         name: await tcp('api.test', ${echo}), below: await tcp('deep.sub.test', ${echo}), range: await tcp('127.0.0.1', ${echo}),
         six: await tcp('six.test', ${echo6}), literal6: await tcp('::1', ${echo6}), mapped: await tcp('::ffff:127.0.0.1', ${echo}),
         second: await tcp('both.test', ${echo}),
         families: (await lookup('api.test', {all: true})).map(({family}) => family).toSorted(),
       };`,
      {
        allow: [
          `api.test:${echo}`,
          `*.sub.test:${echo}`,
          `both.test:${echo}`,
          `127.0.0.0/8:${echo}`,
          `six.test:${echo6}`,
          `[::1]:${echo6}`,
        ],
      },
    );
    expect(output.data).toEqual({
      name: 'ping',
      below: 'ping',
      range: 'ping',
      six: 'ping',
      literal6: 'ping',
      mapped: 'ping',
      second: 'ping',
      families: [4, 6],
    });
    expect(enforcement).toMatchObject({backend: 'bubblewrap', tier: 'standard', degraded: [], denials: []});
    expect(enforcement.connections).toContainEqual({
      destination: `api.test:${echo}`,
      rule: `api.test:${echo}`,
      allowed: true,
      attempts: 1,
      bytes_sent: 4,
      bytes_received: 4,
    });
    expect(enforcement.connections?.find(({destination}) => destination === `127.0.0.1:${echo}`)?.attempts).toBe(2);
  });

  test('large streams arrive whole, each direction ends separately, and the last data still arrives', async () => {
    let [late, lateHash] = [Promise.resolve(), createHash('sha256')];
    const sink = await network.listen(
      createServer((socket) => {
        late = new Promise((resolve) =>
          socket.on('data', (data) => lateHash.update(data)).on('close', () => resolve()),
        );
      }),
    );
    const {output, enforcement} = await network.run(
      `const {createHash, randomBytes} = await import('node:crypto');
       const data = randomBytes(8_000_000); const sum = (bytes) => createHash('sha256').update(bytes).digest('hex');
       const back = await new Promise((done) => {
         const parts = []; const socket = net.connect({host: 'api.test', port: ${echo}, allowHalfOpen: true}, () => socket.end(data));
         socket.on('data', (part) => parts.push(part)).on('end', () => done(Buffer.concat(parts)));
       });
       await new Promise((done) => net.connect(${sink}, '127.0.0.1').end(data, done));
       return [sum(data), sum(back)];`,
      {allow: [`api.test:${echo}`, `127.0.0.1:${echo}`, `127.0.0.1:${sink}`]},
    );
    const [sent, back] = output.data as string[];
    expect(back).toBe(sent);
    await late;
    expect(lateHash.digest('hex')).toBe(sent);
    const sums = Object.fromEntries((enforcement.connections ?? []).map(({destination, ...sum}) => [destination, sum]));
    expect(sums[`api.test:${echo}`]).toMatchObject({bytes_sent: 8_000_000, bytes_received: 8_000_000});
    expect(sums[`127.0.0.1:${sink}`]).toMatchObject({bytes_sent: 8_000_000, bytes_received: 0});
  });

  test('a reset and a missing server are reported as such', async () => {
    const rude = await network.listen(
      createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.resetAndDestroy())),
    );
    const {output} = await network.run(`return [await tcp('127.0.0.1', ${rude}), await tcp('127.0.0.1', 9)];`, {
      allow: [`127.0.0.1:${rude}`, '127.0.0.1:9'],
    });
    expect(output.data).toEqual(['ECONNRESET', 'ECONNRESET']);
  });

  test('calls leave nothing open', async () => {
    const call = () => network.run(`return tcp('127.0.0.1', ${echo});`, {allow: [`127.0.0.1:${echo}`, '10.0.0.0/8']});
    const openNow = () => readdirSync('/proc/self/fd').length;
    const before = openNow();
    await Promise.all([call(), call(), call()]);
    // The last of a call's process goes after its answer has come.
    await expect.poll(openNow, {timeout: 60_000}).toBeLessThanOrEqual(before);
  });
});

test('a missing program is reported with its fix, and nothing runs', async () => {
  const find = (missing: string) => findNetworkPrograms((name) => (name === missing ? undefined : `/usr/bin/${name}`));
  expect(find('ip')).toEqual({
    ok: false,
    problem: {
      message: 'sandboxes with network access need `ip`',
      help: 'install it with `apt-get install iproute2`',
    },
  });
  expect(find('nsenter')).toMatchObject({problem: {help: 'install them with `apt-get install util-linux`'}});
});

test.skipIf(obstacle !== undefined)('a network that cannot be opened is a problem, not a network', async () => {
  const network = (holderPath: string) =>
    createSandboxNetwork({nodePath: process.execPath, holderPath, resolveHost: async () => []});
  const open = async (entries: readonly string[], holderPath = import.meta.filename) =>
    network(holderPath).open({network_posture: 'allowlist', network_allowlist: entries}, 'namespace');
  expect(await open(['api.test:443'], '/nonexistent')).toMatchObject({
    problem: {message: expect.stringContaining('is not built')},
  });
  expect(await open(['api.test:443'], '/dev/null')).toMatchObject({
    problem: {message: expect.stringContaining('could not be set up')},
  });
  expect(await open(['api.test:443; id'])).toMatchObject({
    problem: {message: expect.stringContaining('`api.test:443; id`')},
  });
  expect(await open(Array.from({length: 501}, (_, index) => `h${index}.test:443`))).toMatchObject({
    problem: {help: 'list fewer entries'},
  });
  const entries = Array.from({length: 40}, (_, index) => `10.0.0.${index}/32`);
  expect(allowlistPolicy({entries, resolveHost: async () => [], carriesAllPorts: false})).toMatchObject({
    problem: {message: expect.stringContaining('listening sockets')},
  });
});
