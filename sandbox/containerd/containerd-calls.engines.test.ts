// Calls in containers of containerd, beyond the conformance suite: spares, secrets, the wire. Also what is left when the host or
// containerd is killed.
import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import type {SandboxBackendOptions} from '@lumenflow/schemas';
import {engineObstacle, startEngine, type EngineDaemon} from '../testing/engine-daemon.fixture.ts';
import {createBench, type Bench} from '../testing/sandbox-bench.fixture.ts';
import {createUserBench, userObstacle} from '../testing/user-bench.fixture.ts';
import {containerdBackends} from './containerd-runtimes.ts';

const timeout = 90_000;
const beating = `for (;;) { fs.writeFileSync(context.workspace_root + '/beat', ''); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20); }`;

/** Nothing writes there any more. */
async function beatStops(beat: string): Promise<void> {
  const at = statSync(beat).mtimeMs;
  await delay(300);
  expect(statSync(beat).mtimeMs).toBe(at);
}

for (const backend of containerdBackends) {
  const obstacle = engineObstacle(backend) ?? userObstacle();
  describe.skipIf(obstacle !== undefined)(`${backend}${obstacle === undefined ? '' : ` (${obstacle})`}`, () => {
    let daemon: EngineDaemon;
    let options: SandboxBackendOptions;
    let bench: Bench;
    beforeAll(async () => {
      daemon = await startEngine(backend);
      options = {[backend]: {socket: daemon.socket}};
      bench = await createBench({backend, warm: {}});
    }, timeout);
    afterAll(async () => {
      await bench.remove();
      await daemon.end();
    }, timeout);
    const ctr = (...args: readonly string[]): string =>
      execFileSync('ctr', ['--address', daemon.socket, '--namespace', 'lumenflow', ...args], {encoding: 'utf8'});
    const containers = (): readonly string[] => ctr('containers', 'ls', '--quiet').split('\n').filter(Boolean);

    test(
      'a container that waited for its call serves it, and shares nothing with an earlier one',
      {timeout},
      async () => {
        const entry = bench.handler(`const files = fs.readdirSync('/tmp').filter((name) => name === 'mine');
        fs.writeFileSync('/tmp/mine', ''); return files;`);
        const request = {warm: {packHash: 'sha256:1'}, backendOptions: options};
        const first = await bench.run(entry, {request});
        expect(first.enforcement.start).toBe('cold');
        while ((bench.sandbox.warmPool()?.spares ?? 0) === 0) await delay(20);
        const second = await bench.run(entry, {request});
        expect(second.enforcement.start).toBe('warm');
        for (const {output} of [first, second]) expect(output).toEqual({success: true, data: []});
      },
    );

    test('a secret of a call is in nothing that containerd shows', {timeout}, async () => {
      const secret = 'hidden-from-containerd';
      const running = bench.call(
        `fs.writeFileSync(context.workspace_root + '/started', ''); console.log(context.env.TOKEN); await new Promise((done) => setTimeout(done, 1500)); return context.env.TOKEN;`,
        {write: ['**'], env: {TOKEN: secret}, request: {backendOptions: options}},
      );
      while (!existsSync(join(bench.workspace, 'started'))) await delay(20);
      const shown = containers().map((id) => ctr('containers', 'info', id));
      expect(shown.join()).toContain('lumenflow');
      expect(shown.join()).not.toContain(secret);
      const {output, stdout} = await running;
      expect([output, stdout]).toEqual([{success: true, data: secret}, `${secret}\n`]);
    });

    test('a program inside finds no wire that it could open', {timeout}, async () => {
      const {output} = await bench.call(
        `const opens = (path) => { try { fs.closeSync(fs.openSync(path, 'r+')); return true; } catch { return false; } };
         return fs.readdirSync('/run/lumenflow').filter((name) => /host/.test(name)).filter((name) => opens('/run/lumenflow/' + name));`,
        {request: {backendOptions: options}},
      );
      expect(output).toEqual({success: true, data: []});
    });

    test('nothing is left of a host that was killed, and a container of another program is', {timeout}, async () => {
      const users = await createUserBench();
      const other = 'lumenflow-of-another-program';
      const config = join(users.workspace, 'config.json');
      execFileSync('sh', ['-c', `echo '{"ociVersion":"1.0.2","root":{"path":"/"}}' >${config}`]);
      ctr('containers', 'create', '--label', 'dev.lumenflow.host=unknown', '--config', config, other);
      const beat = join(users.workspace, 'beat');
      const host = users.begin(beating, {backend, uid: 0, options});
      await vi.waitFor(() => expect(existsSync(beat)).toBe(true), {timeout: 60_000, interval: 50});
      const ended = once(host, 'exit');
      host.kill('SIGKILL');
      await ended;
      const left = (): readonly string[] =>
        [...containers(), ...readdirSync(tmpdir())].filter((name) => name.includes(`-${host.pid}-`));
      expect(left()).not.toEqual([]);
      await vi.waitFor(
        async () => {
          await bench.sandbox.reap(options);
          expect(left()).toEqual([]);
        },
        {timeout: 60_000, interval: 500},
      );
      await beatStops(beat);
      expect(containers()).toContain(other);
      users.remove();
    });

    // Last, because containerd is not started again.
    test('a call whose containerd is killed ends, and nothing of it continues', {timeout}, async () => {
      const beat = join(bench.workspace, 'beat');
      const running = bench.call(beating, {write: ['**'], wallMs: 30_000, request: {backendOptions: options}});
      await vi.waitFor(() => expect(existsSync(beat)).toBe(true), {timeout: 60_000, interval: 50});
      daemon.kill();
      const {output} = await running;
      expect(output.success).toBe(false);
      await beatStops(beat);
      const next = await bench.call('return 1;', {request: {backendOptions: options}});
      expect(next.output).toMatchObject({success: false, error: {code: 'SANDBOX_UNAVAILABLE'}});
    });
  });
}
