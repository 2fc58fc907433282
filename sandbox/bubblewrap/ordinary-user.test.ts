// The same protection for a user without any privilege: the call is made by uid 65534 when the tests run as root.
import {chownSync, lchownSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {createServer, type AddressInfo} from 'node:net';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {findNetworkPrograms} from '../network/network-programs.ts';
import {createUserBench, nobody, userObstacle, type UserBench} from '../testing/user-bench.fixture.ts';

const obstacle = userObstacle();
if (obstacle !== undefined) process.stderr.write(`skipped: calls by another user: ${obstacle}\n`);

describe.skipIf(obstacle !== undefined)('a call by an ordinary user', () => {
  let bench: UserBench;
  let workspace = '';
  beforeAll(async () => {
    bench = await createUserBench();
    ({workspace} = bench);
    for (const name of ['.env', '.git/hooks/pre-commit']) {
      mkdirSync(join(workspace, name, '..'), {recursive: true});
      writeFileSync(join(workspace, name), 'original');
    }
    for (const name of readdirSync(workspace, {recursive: true, encoding: 'utf8'}))
      lchownSync(join(workspace, name), nobody, nobody);
    chownSync(workspace, nobody, nobody);
  });
  afterAll(() => bench.remove());

  test('has the same protection as a call by root', async () => {
    const {output, enforcement} = await bench.call(
      `const code = (f) => { try { f(); return 'ok'; } catch (error) { return error.code; } };
       process.chdir(context.workspace_root);
       return {
         uid: process.getuid(), write: code(() => fs.writeFileSync('new.txt', 'x')), env: code(() => fs.readFileSync('.env')),
         hook: code(() => fs.writeFileSync('.git/hooks/pre-commit', 'x')), move: code(() => fs.renameSync('.git', 'moved')),
         outside: code(() => fs.readdirSync('/root')), sysctl: code(() => fs.writeFileSync('/proc/sys/kernel/core_pattern', 'x')),
         user: (await context.exec('whoami', [])).stdout, unshare: (await context.exec('unshare', ['-Ur', 'true'])).exit_code,
       };`,
    );
    expect(output).toEqual({
      success: true,
      data: {
        uid: nobody,
        write: 'ok',
        env: 'EACCES',
        hook: 'EROFS',
        move: 'EBUSY',
        outside: 'ENOENT',
        sysctl: expect.stringMatching(/EACCES|EROFS/),
        user: 'tool\n',
        unshare: 1,
      },
    });
    expect(enforcement).toMatchObject({backend: 'bubblewrap', tier: 'standard', degraded: []});
    expect(enforcement.self_test).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(join(workspace, 'new.txt')).uid).toBe(nobody);
    expect(readFileSync(join(workspace, '.git/hooks/pre-commit'), 'utf8')).toBe('original');
  });

  test.skipIf(!findNetworkPrograms().ok)('an allowlist is enforced as for root', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const {port} = server.address() as AddressInfo;
    const {output, enforcement} = await bench.call(
      `const {connect} = await import('node:net');
       const tcp = (port, host) => new Promise((done) => {
         let got = ''; connect(port, host).on('data', (data) => (got += data)).on('error', ({code}) => done(code)).on('close', () => done(got));
       });
       const sh = async (line) => (await context.exec('sh', ['-c', line])).exit_code;
       return {
         uid: process.getuid(), name: await tcp(${port}, 'api.test'), literal: await tcp(${port}, '127.0.0.1'),
         other: await tcp(${port}, '127.0.0.2'), port: await tcp(443, '127.0.0.1'), unlisted: await tcp(443, 'evil.test'), rebind: await tcp(81, 'api.test'),
         route: await sh('ip route add 1.1.1.1/32 dev lo'), leave: await sh('nsenter --net=/proc/1/ns/net true'),
       };`,
      {allow: [`api.test:${port}`, `127.0.0.1:${port}`, 'api.test:81']},
    );
    server.close();
    expect(output.data).toEqual({
      uid: nobody,
      name: 'reached',
      literal: 'reached',
      other: 'ECONNREFUSED',
      port: 'ECONNREFUSED',
      unlisted: 'ENOTFOUND',
      rebind: 'ECONNRESET',
      route: 2,
      leave: 1,
    });
    expect(enforcement).toMatchObject({tier: 'standard', degraded: []});
    expect(enforcement.denials).toEqual(
      expect.arrayContaining([
        'network evil.test: no entry lists the name',
        expect.stringContaining('network api.test:81: '),
      ]),
    );
  });

  test('the number of processes is limited', async () => {
    const {output, enforcement} = await bench.call(
      `const {spawn} = await import('node:child_process'); const codes = [];
       for (let i = 0; i < 60; i += 1) await new Promise((done) => spawn('sleep', ['60']).on('spawn', done).on('error', (error) => done(codes.push(error.code))));
       return codes;`,
      {limits: {processes: 40}},
    );
    expect(output.data).toContain('EAGAIN');
    expect(enforcement.degraded).toEqual([]);
  });
});
