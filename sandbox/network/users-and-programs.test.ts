// Networks for an ordinary user, and without nft: what is still enforced, and what the receipt says of it.
import {createServer, type AddressInfo, type Server} from 'node:net';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {findProgram} from '../commands/find-program.ts';
import {createNeighbour, neighbourObstacle, type Neighbour} from '../testing/neighbour.fixture.ts';
import {networkObstacle} from '../testing/network-bench.fixture.ts';
import {createUserBench, nobody, userObstacle, type UserBench} from '../testing/user-bench.fixture.ts';

const nft = findProgram('nft');
const obstacle = userObstacle() ?? networkObstacle() ?? neighbourObstacle();
if (obstacle !== undefined) process.stderr.write(`skipped: networks of other users: ${obstacle}\n`);

const users = [
  ['root', 0],
  ['an ordinary user', nobody],
] as const;

const tcp = `const {connect} = await import('node:net');
  const tcp = (port, host) => new Promise((done) => {
    let got = ''; const socket = connect(port, host, () => socket.end('ping')); socket.on('data', (data) => (got += data)).on('error', ({code}) => done(code)).on('close', () => done(got));
  });`;

describe.skipIf(obstacle !== undefined)('a network', () => {
  let bench: UserBench;
  let neighbour: Neighbour;
  let host: Server;
  let [home, usual] = [0, 8080];
  beforeAll(async () => {
    neighbour = await createNeighbour([usual]);
    bench = await createUserBench();
    host = createServer((socket) => socket.on('error', () => undefined).end('the host'));
    await new Promise<void>((resolve) => host.listen(0, '0.0.0.0', resolve));
    home = (host.address() as AddressInfo).port;
  });
  afterAll(async () => {
    host.close();
    bench.remove();
    await neighbour.remove();
  });
  const hosts = () => ({'far.test': [neighbour.ipv4]});

  test.skipIf(nft === undefined).each(users)('full reaches any port but not the host, as %s', async (_, uid) => {
    const {output, enforcement} = await bench.call(
      `${tcp} return {uid: process.getuid() === 0, name: await tcp(${neighbour.port}, 'far.test'), six: await tcp(${neighbour.port}, '${neighbour.ipv6}'),
        loopback: await tcp(${home}, '127.0.0.1'), gateway: await tcp(${home}, '${neighbour.gateway}'), metadata: await tcp(80, '169.254.169.254')};`,
      {full: true, hosts: hosts(), uid},
    );
    expect(output.data).toEqual({
      uid: uid === 0,
      name: 'ping',
      six: 'ping',
      loopback: 'ECONNREFUSED',
      gateway: 'ECONNRESET',
      metadata: 'ECONNRESET',
    });
    expect(enforcement.connections).toContainEqual(
      expect.objectContaining({name: 'far.test', allowed: true, bytes_sent: 4}),
    );
  });

  test.each(users)('full without nft reaches common ports only, and says so, as %s', async (_, uid) => {
    const {output, enforcement} = await bench.call(
      `${tcp} return {usual: await tcp(${usual}, 'far.test'), other: await tcp(${neighbour.port}, 'far.test'), loopback: await tcp(${home}, '127.0.0.1'),
        gateway: await tcp(${usual}, '${neighbour.gateway}')};`,
      {full: true, hosts: hosts(), uid, without: nft === undefined ? [] : [nft]},
    );
    expect(output.data).toEqual({
      usual: 'ping',
      other: 'ECONNREFUSED',
      loopback: 'ECONNREFUSED',
      gateway: 'ECONNRESET',
    });
    expect(enforcement.degraded).toEqual([
      expect.stringContaining('other UDP and ICMP are refused'),
      expect.stringMatching(/^network full: limited to \d+ common ports because nft is not installed$/),
      expect.stringContaining('attempts to reach ports without a listener are not recorded'),
    ]);
  });

  test.each(users)(
    'an allowlist without nft enforces names and ranges; a range without a port opens common ports, as %s',
    async (_, uid) => {
      const range = `${neighbour.ipv4}/32`;
      const {output, enforcement} = await bench.call(
        `${tcp} return {name: await tcp(${usual}, 'far.test'), usual: await tcp(${usual}, '${neighbour.ipv4}'), other: await tcp(${neighbour.port}, '${neighbour.ipv4}'),
        unlisted: await tcp(${usual}, '${neighbour.gateway}'), secret: await tcp(443, 'evil.test')};`,
        {
          allow: [`far.test:${usual}`, range],
          hosts: hosts(),
          uid,
          without: nft === undefined ? [] : [nft],
        },
      );
      expect(output.data).toEqual({
        name: 'ping',
        usual: 'ping',
        other: 'ECONNREFUSED',
        unlisted: 'ECONNREFUSED',
        secret: 'ENOTFOUND',
      });
      expect(enforcement.degraded).toEqual([
        expect.stringMatching(/^network .*\/32: limited to \d+ common ports because nft is not installed$/),
        expect.stringContaining('are not recorded'),
      ]);
    },
  );
});
