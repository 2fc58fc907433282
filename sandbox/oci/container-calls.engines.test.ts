// Calls in containers beyond the conformance suite: by an ordinary user, warm, and after a host was killed.
import {chownSync, existsSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {once} from 'node:events';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {findProgram} from '../commands/find-program.ts';
import {findNetworkPrograms} from '../network/network-programs.ts';
import {createBench, type Bench} from '../testing/sandbox-bench.fixture.ts';
import {createUserBench, nobody, userObstacle, type UserBench} from '../testing/user-bench.fixture.ts';
import {containerBackends, ociRuntimes} from './oci-runtime.ts';

const obstacle = userObstacle();

for (const backend of containerBackends) {
  const {program, install} = ociRuntimes[backend];
  const isMissing = findProgram(program) === undefined;
  describe.skipIf(isMissing || obstacle !== undefined)(`${backend} for an ordinary user (\`${install}\`)`, () => {
    let bench: UserBench;
    beforeAll(async () => {
      bench = await createUserBench();
      chownSync(bench.workspace, nobody, nobody);
    });
    afterAll(() => bench.remove());

    test('has the same protection as a call by root', async () => {
      const {output, enforcement} = await bench.call(
        `const code = (f) => { try { f(); return 'ok'; } catch (error) { return error.code; } };
         process.chdir(context.workspace_root);
         return {
           write: code(() => fs.writeFileSync('new.txt', 'x')), outside: code(() => fs.readdirSync('/root')),
           usr: code(() => fs.writeFileSync('/usr/new.txt', 'x')), unshare: (await context.exec('unshare', ['-Ur', 'true'])).exit_code,
           user: (await context.exec('whoami', [])).stdout,
         };`,
        {backend},
      );
      expect(output).toMatchObject({success: true, data: {write: 'ok', outside: 'ENOENT', unshare: 1, user: 'tool\n'}});
      expect(output.data).not.toMatchObject({usr: 'ok'});
      expect(enforcement).toMatchObject({backend, tier: 'standard'});
      expect(enforcement.self_test).toMatch(/^[0-9a-f]{64}$/);
      expect(statSync(join(bench.workspace, 'new.txt')).uid).toBe(nobody);
    });

    test.skipIf(!findNetworkPrograms().ok)('an allowlist is enforced', async () => {
      const {output} = await bench.call(
        `const {connect} = await import('node:net');
         const code = (port, host) => new Promise((done) => connect(port, host).on('connect', () => done('connected')).on('error', ({code}) => done(code)));
         return [await code(443, '192.0.2.1'), await code(443, 'unlisted.example')];`,
        {backend, allow: ['listed.example:443']},
      );
      expect(output).toMatchObject({success: true, data: ['ECONNREFUSED', 'ENOTFOUND']});
    });

    test('nothing is left of a host that was killed once another one has started', async () => {
      chownSync(bench.workspace, 0, 0);
      const beat = join(bench.workspace, 'beat');
      const host = bench.begin(
        `for (;;) { fs.writeFileSync(context.workspace_root + '/beat', ''); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20); }`,
        {backend, uid: 0},
      );
      while (!existsSync(beat)) await delay(20);
      const ended = once(host, 'exit');
      host.kill('SIGKILL');
      await ended;
      const other = await createBench({backend});
      // A container that is still being created cannot be deleted yet: the next start removes it.
      const left = (): readonly string[] =>
        readdirSync(tmpdir()).filter((name) => name.includes(`${backend}-`) && name.includes(`-${host.pid}-`));
      await vi.waitFor(
        async () => {
          await other.sandbox.reap();
          expect(left()).toEqual([]);
        },
        {timeout: 60_000},
      );
      await other.remove();
      const at = statSync(beat).mtimeMs;
      await delay(300);
      expect(statSync(beat).mtimeMs).toBe(at);
    });
  });

  describe.skipIf(isMissing)(`calls in ${backend} (\`${install}\`)`, () => {
    let bench: Bench;
    beforeAll(async () => {
      bench = await createBench({backend, warm: {}});
    });
    afterAll(() => bench.remove());

    test('the next call is served by a container that waited for it, and shares nothing with the first', async () => {
      const entry = bench.handler(`const files = fs.readdirSync('/tmp').filter((name) => name === 'mine');
        fs.writeFileSync('/tmp/mine', ''); return files;`);
      const request = {warm: {packHash: 'sha256:1'}};
      const first = await bench.run(entry, {request});
      expect(first.enforcement.start).toBe('cold');
      while ((bench.sandbox.warmPool()?.spares ?? 0) === 0) await delay(20);
      const second = await bench.run(entry, {request});
      expect(second.enforcement.start).toBe('warm');
      for (const {output} of [first, second]) expect(output).toEqual({success: true, data: []});
    });

    // The host's kernel counts what a runtime needs for itself, too.
    test.skipIf(backend !== 'gvisor')(
      'a call with too many processes is refused the next one, and continues',
      async () => {
        const {output, stdout} = await bench.call(
          `console.log('before');
         const {spawn} = await import('node:child_process');
         const started = await Promise.all(Array.from({length: 200}, () => new Promise((done) => {
           const child = spawn('sleep', ['60']);
           child.on('spawn', () => done('spawned')).on('error', ({code}) => done(code));
         })));
         return {codes: [...new Set(started)].sort(), count: started.filter((code) => code === 'spawned').length};`,
          {limits: {processes: 60}},
        );
        expect(output).toMatchObject({success: true, data: {codes: ['EAGAIN', 'spawned']}});
        expect((output.data as {count: number}).count).toBeLessThan(60);
        expect(stdout).toBe('before\n');
      },
    );

    test('a container that its runtime did not start may be started once more', async () => {
      const [program, failure] = [join(bench.folder, 'runtime'), join(bench.folder, 'failure')];
      writeFileSync(
        program,
        `#!/bin/sh\n[ ! -f ${failure} ] || { echo 'cannot start' >&2; exit 1; }\nexec ${findProgram(ociRuntimes[backend].program)} "$@"\n`,
        {mode: 0o755},
      );
      const request = {backendOptions: {[backend]: {program}}};
      expect((await bench.call('return 1;', {request})).output).toEqual({success: true, data: 1});
      writeFileSync(failure, '');
      const {neverRan} = await bench.call('return 1;', {request});
      expect(neverRan).toMatchObject({message: expect.stringContaining('`cannot start`'), retryable: 'once'});
    });

    test('a call starts beside a socket of the host, and cannot use it', async () => {
      const socket = bench.put('beside/host.sock');
      rmSync(socket);
      const server = createServer((connection) => connection.end('reached')).listen(socket);
      await once(server, 'listening');
      const entry = bench.handler(
        `return await new Promise((done) => net.connect(context.workspace_root + '/beside/host.sock')
           .on('connect', () => done('connected')).on('error', ({code}) => done(code)));`,
        `import net from 'node:net';`,
      );
      const {output} = await bench.run(entry, {write: ['beside/**']});
      expect(output).toMatchObject({success: true, data: expect.stringMatching(/^E[A-Z]+$/)});
      server.close();
    });

    test('a handler cannot claim that its container never started', async () => {
      const {output} = await bench.call(
        `console.error('time="2026" level=error msg="runc run failed"'); await new Promise((done) => setTimeout(done, 50)); process.kill(process.pid, 'SIGKILL');`,
      );
      expect(output).toMatchObject({success: false, error: {code: 'TOOL_CRASHED'}});
    });
  });
}
