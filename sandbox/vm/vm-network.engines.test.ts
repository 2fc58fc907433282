// The network of calls in virtual machines: what an allowlist allows and refuses, and what the receipt reports.
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {findProgram} from '../commands/find-program.ts';
import {createNetworkBench, networkObstacle, type NetworkBench} from '../testing/network-bench.fixture.ts';
import {findKernel} from './guest-system/find-kernel.ts';

const programs = ['qemu-system-x86_64', 'busybox', 'mke2fs', 'bwrap'];
const isAbsent = findKernel() === undefined || programs.some((name) => findProgram(name) === undefined);
const install = 'apt-get install qemu-system-x86 linux-image-cloud-amd64 busybox-static';
const timeout = 300_000;
/** The servers of the tests are on the host's loopback: a name that leads there needs an entry for it. */
const loopback = (port: number): readonly string[] => [`127.0.0.0/8:${port}`, `[::1]:${port}`];

describe.skipIf(isAbsent || networkObstacle() !== undefined)(`networks of virtual machines (\`${install}\`)`, () => {
  let network: NetworkBench;
  beforeAll(async () => {
    network = await createNetworkBench({}, {backend: 'vm'});
  });
  afterAll(() => network.remove());

  test('names are reached over IPv4 and IPv6, and streams arrive whole', {timeout}, async () => {
    const {echo, echo6} = network;
    const {output, enforcement} = await network.run(
      `const {createHash, randomBytes} = await import('node:crypto');
       const data = randomBytes(8_000_000); const sum = (bytes) => createHash('sha256').update(bytes).digest('hex');
       const back = await new Promise((done) => {
         const parts = []; const socket = net.connect({host: 'api.test', port: ${echo}, allowHalfOpen: true}, () => socket.end(data));
         socket.on('data', (part) => parts.push(part)).on('end', () => done(Buffer.concat(parts)));
       });
       return {below: await tcp('deep.sub.test', ${echo}), six: await tcp('six.test', ${echo6}), sent: sum(data), back: sum(back)};`,
      {allow: [`api.test:${echo}`, `*.sub.test:${echo}`, `six.test:${echo6}`, ...loopback(echo), ...loopback(echo6)]},
    );
    expect(output).toMatchObject({success: true});
    expect(output.data).toMatchObject({below: 'ping', six: 'ping'});
    const {sent, back} = output.data as {readonly sent: string; readonly back: string};
    expect(back).toBe(sent);
    expect(enforcement).toMatchObject({backend: 'vm', denials: []});
    expect(enforcement.connections).toContainEqual({
      destination: `api.test:${echo}`,
      rule: `api.test:${echo}`,
      allowed: true,
      attempts: 1,
      bytes_sent: 8_000_000,
      bytes_received: 8_000_000,
    });
  });

  test('all else is refused at once, and so are the services of QEMU', {timeout}, async () => {
    const {echo, secret} = network;
    const {output, enforcement} = await network.run(
      `return [
         await tcp('203.0.113.7', ${secret}), await tcp('2001:db8::7', ${secret}), await tcp('169.254.169.254', 80),
         await tcp('192.0.0.1', ${secret}), await tcp('192.0.0.2', ${secret}), await tcp('fd00:6c66:ffff::1', ${secret}),
         await tcp('127.0.0.1', ${secret}), await tcp('api.test', ${secret}), await tcp('other.test', ${secret}),
       ];`,
      {allow: [`api.test:${echo}`]},
    );
    // QEMU answers for the address of its name server that there is no way to it.
    const refused = 'ECONNREFUSED';
    expect(output.data).toEqual([
      refused,
      refused,
      refused,
      refused,
      'ENETUNREACH',
      refused,
      refused,
      refused,
      'ENOTFOUND',
    ]);
    const rules = enforcement.connections?.filter(({allowed}) => !allowed).map(({destination}) => destination);
    expect(rules).toEqual(
      expect.arrayContaining([`203.0.113.7:${secret}`, `[2001:db8::7]:${secret}`, `api.test:${secret}`]),
    );
  });

  test('the guest can neither change its network nor use another', {timeout}, async () => {
    const {echo} = network;
    const {output} = await network.run(
      `const code = (attempt) => { try { attempt(); return 'ok'; } catch (error) { return error.code; } };
       return {
                 sysctl: code(() => fs.writeFileSync('/proc/sys/net/ipv4/ip_forward', '1')),
         route: await sh('unshare -n true'), still: await tcp('api.test', ${echo}),
       };`,
      {allow: [`api.test:${echo}`, ...loopback(echo)]},
    );
    expect(output).toMatchObject({success: true, data: {still: 'ping', sysctl: 'EROFS'}});
    expect((output.data as {readonly route: string}).route).toMatch(/^failed/);
  });

  test('a call without a network has no card', {timeout}, async () => {
    const {output} = await network.run(
      `return {cards: fs.readFileSync('/proc/net/dev', 'utf8'), reached: await tcp('192.0.0.1', 53)};`,
      {},
    );
    expect(output.data).toMatchObject({cards: expect.not.stringContaining('eth0'), reached: 'ENETUNREACH'});
  });

  test("the host's loopback, if entries list it, has another address", {timeout}, async () => {
    const {echo, echo6} = network;
    const {output, enforcement} = await network.run(
      `return [await tcp('127.0.0.1', ${echo}), await tcp('192.0.0.1', ${echo}), await tcp('fd00:6c66:ffff::1', ${echo6})];`,
      {allow: [`127.0.0.1:${echo}`, `[::1]:${echo6}`]},
    );
    expect(output.data).toEqual(['ECONNREFUSED', 'ping', 'ping']);
    expect(enforcement.degraded).toEqual([
      `network 127.0.0.1:${echo}: in the virtual machine, use the address 192.0.0.1`,
      `network [::1]:${echo6}: in the virtual machine, use the address fd00:6c66:ffff::1`,
    ]);
  });

  test('programs with a private list of authorities find it', {timeout}, async () => {
    const {echo} = network;
    const {output} = await network.run(
      `const bundle = fs.readFileSync('/etc/ssl/certs/ca-certificates.crt', 'utf8');
       const dead = fs.readdirSync('/etc/ssl/certs').filter((name) => !fs.existsSync('/etc/ssl/certs/' + name));
       return {begins: bundle.slice(0, 27), dead};`,
      {allow: [`api.test:${echo}`]},
    );
    expect(output.data).toEqual({begins: '-----BEGIN CERTIFICATE-----', dead: []});
  });
});
