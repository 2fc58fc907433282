// Calls with the full network: they reach everything except the host itself, its link and metadata services. A separate namespace
// plays the internet, with an address that is used nowhere else.
import {createServer} from 'node:net';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {findProgram} from '../commands/find-program.ts';
import {createNetworkBench, networkObstacle, type NetworkBench} from '../testing/network-bench.fixture.ts';
import {createNeighbour, neighbourObstacle, type Neighbour} from '../testing/neighbour.fixture.ts';

const obstacle =
  networkObstacle() ??
  neighbourObstacle() ??
  (findProgram('nft') === undefined ? 'nft (Debian package nftables) is not installed' : undefined);
if (obstacle !== undefined) process.stderr.write(`skipped: calls with the full network: ${obstacle}\n`);

describe.skipIf(obstacle !== undefined)('a call with the full network', () => {
  let network: NetworkBench;
  let neighbour: Neighbour;
  beforeAll(async () => {
    neighbour = await createNeighbour();
    network = await createNetworkBench({
      'far.test': [neighbour.ipv4, neighbour.ipv6],
      'home.test': ['127.0.0.1', '169.254.169.254'],
    });
  });
  afterAll(async () => {
    await network.remove();
    await neighbour.remove();
  });

  test('reaches any port of names and addresses over IPv4 and IPv6, private ones too', async () => {
    const {output, enforcement} = await network.run(
      `const {lookup} = await import('node:dns/promises');
       return {
         name: await tcp('far.test', ${neighbour.port}), literal: await tcp('${neighbour.ipv4}', ${neighbour.port}), six: await tcp('${neighbour.ipv6}', ${neighbour.port}),
         closed: await tcp('${neighbour.ipv4}', 9), found: (await lookup('far.test', {all: true})).map(({address}) => address).toSorted(),
       };`,
      {network: 'full'},
    );
    expect(output.data).toEqual({
      name: 'ping',
      literal: 'ping',
      six: 'ping',
      closed: 'ECONNRESET',
      found: [neighbour.ipv4, neighbour.ipv6],
    });
    expect(enforcement.denials).toEqual([]);
    expect(enforcement.degraded).toEqual([expect.stringContaining('other UDP and ICMP are refused')]);
    // By name, either family may have been tried first; the literals are one of each, and one to a closed port.
    expect(enforcement.connections).toHaveLength(2);
    for (const connection of enforcement.connections ?? []) {
      expect(connection).toMatchObject({name: 'far.test', rule: 'full', allowed: true});
      expect(connection.bytes_sent).toBe(connection.attempts * 4);
    }
  });

  test('does not reach the host by any address, nor its link, nor metadata services', async () => {
    const everywhere = await network.listen(
      createServer((socket) => socket.end('a service of the host')),
      '0.0.0.0',
    );
    const {output, enforcement} = await network.run(
      `const addresses = ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', '0.0.0.0', '${neighbour.gateway}', '169.254.169.254', '169.254.1.1', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fe80::1', '64:ff9b::7f00:1', 'home.test', 'localhost'];
       const seen = {}; for (const address of addresses) seen[address] = await tcp(address, ${everywhere}); return seen;`,
      {network: 'full'},
    );
    expect(Object.values(output.data as object)).not.toContain('a service of the host');
    expect(
      Object.entries(output.data as object).filter(
        ([, code]) => !/^(ECONNRE|ENOTFOUND|EINVAL|EADDRNOTAVAIL)/.test(code as string),
      ),
    ).toEqual([]);
    expect(enforcement.denials).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^network home\.test: it resolves to 127\.0\.0\.1, 169\.254\.169\.254: the network `full`/,
        ),
        expect.stringMatching(/^network 169\.254\.169\.254:\d+: the network `full` excludes/),
      ]),
    );
  });

  test('a program has its own loopback, and UDP reaches nothing', async () => {
    const {output, enforcement} = await network.run(
      `const own = net.createServer((socket) => socket.pipe(socket)); await new Promise((done) => own.listen(8080, '127.0.0.1', done));
       const {createSocket} = await import('node:dgram');
       const udp = await new Promise((done) => {
         const socket = createSocket('udp4').on('error', ({code}) => done(code));
         socket.connect(443, '${neighbour.ipv4}', () => { socket.send('quic'); setTimeout(() => done('silence'), 500); });
       });
       const back = await tcp('127.0.0.1', 8080); own.close();
       return [back, udp];`,
      {network: 'full'},
    );
    expect(output.data).toEqual(['ping', 'ECONNREFUSED']);
    expect(enforcement.denials).toEqual([
      `network ${neighbour.ipv4}:443/udp: the network \`full\` carries UDP for DNS lookups only`,
    ]);
  });
});
