// Calls in containers of an engine, beyond the conformance suite: spares, secrets, other users. Also what is left when the host or
// the engine is killed.
import {once} from 'node:events';
import {chownSync, existsSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import type {SandboxBackendOptions} from '@lumenflow/schemas';
import {findNetworkPrograms} from '../network/network-programs.ts';
import {createSandbox} from '../create-sandbox.ts';
import {engineObstacle, startEngine, type EngineDaemon} from '../testing/engine-daemon.fixture.ts';
import {createBench, type Bench} from '../testing/sandbox-bench.fixture.ts';
import {valueOf} from '../testing/value-of.fixture.ts';
import {createUserBench, nobody, userObstacle, type UserBench} from '../testing/user-bench.fixture.ts';
import {createEngineClient, type EngineClient} from './engine-client.ts';
import {engineBackends} from './engines.ts';
import {openImageStore, type ImageStore} from './image/open-image-store.ts';

/** Against what hangs: on a busy machine, an image alone can take a minute. */
const timeout = 300_000;
const beating = `for (;;) { fs.writeFileSync(context.workspace_root + '/beat', ''); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20); }`;

/** Nothing writes there any more. */
async function beatStops(beat: string): Promise<void> {
  const at = statSync(beat).mtimeMs;
  await delay(300);
  expect(statSync(beat).mtimeMs).toBe(at);
}

for (const backend of engineBackends) {
  const obstacle = engineObstacle(backend) ?? userObstacle();
  describe.skipIf(obstacle !== undefined)(`${backend}${obstacle === undefined ? '' : ` (${obstacle})`}`, () => {
    let daemon: EngineDaemon;
    let client: EngineClient;
    let options: SandboxBackendOptions;
    let bench: Bench;
    beforeAll(async () => {
      daemon = await startEngine(backend);
      client = createEngineClient(daemon.socket);
      options = {[backend]: {socket: daemon.socket}};
      bench = await createBench({backend, warm: {}});
    }, timeout);
    afterAll(async () => {
      await bench.remove();
      await daemon.end();
    }, timeout);
    const containers = async (): Promise<readonly {Id: string; Names: readonly string[]}[]> => {
      const answer = await client.send({method: 'GET', path: '/containers/json?all=1'});
      return answer.ok ? (answer.value as readonly {Id: string; Names: readonly string[]}[]) : [];
    };

    // First, because calls need the image.
    test('an engine that is only inspected is not given an image', {timeout}, async () => {
      const sandbox = createSandbox({backend, searchPath: '/usr/bin:/bin', loadsImages: false});
      expect(await sandbox.probe(options)).toMatchObject({
        available: false,
        problem: {message: `${backend} has no runner image, so it was not tried`},
      });
      expect(valueOf(await client.list('/images/json'))).toEqual([]);
      const store = valueOf(openImageStore(backend, {...daemon, nodePath: process.execPath}));
      await store.build();
      expect(await sandbox.probe(options)).toMatchObject({available: true});
      await sandbox.close();
    });

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

    test(
      'the image is built once, again when Node changes, and removed when it is not current',
      {timeout},
      async () => {
        const storeFor = (nodePath: string): ImageStore => valueOf(openImageStore(backend, {...daemon, nodePath}));
        const [before, after] = [storeFor('/usr/bin/arch'), storeFor('/usr/bin/tty')];
        const first = valueOf(await before.build());
        expect(first).toMatchObject({id: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), isCurrent: true});
        expect(valueOf(await before.build())).toEqual(first);
        const second = valueOf(await after.build());
        expect(second.id).not.toBe(first.id);
        expect(valueOf(await after.list())).toContainEqual({...first, isCurrent: false});
        expect(valueOf(await after.prune()).map(({id}) => id)).toContain(first.id);
        const left = valueOf(await after.list());
        expect(left).toContainEqual(second);
        expect(left.map(({id}) => id)).not.toContain(first.id);
      },
    );

    test('the image is loaded again after someone has removed it', {timeout}, async () => {
      const call = async () => (await bench.call('return 1;', {request: {backendOptions: options}})).output;
      const returned = {success: true, data: 1};
      expect(await call()).toEqual(returned);
      const images = valueOf(openImageStore(backend, {...daemon}));
      // Docker removes no image of a container that is still ending.
      await vi.waitFor(async () => {
        for (const {id} of valueOf(await images.list()))
          await client.send({method: 'DELETE', path: `/images/${id}?force=1`});
        expect(valueOf(await images.list())).toEqual([]);
      }, 60_000);
      // Both at once, because each of them finds that the image is missing.
      expect(await Promise.all([call(), call()])).toEqual([returned, returned]);
      expect(valueOf(await client.list('/images/json'))).toHaveLength(1);
    });

    test('a secret of a call is in nothing that the engine shows', {timeout}, async () => {
      const secret = 'hidden-from-the-engine';
      const running = bench.call(
        `fs.writeFileSync(context.workspace_root + '/started', ''); console.log(context.env.TOKEN); await new Promise((done) => setTimeout(done, 1500)); return context.env.TOKEN;`,
        {write: ['**'], env: {TOKEN: secret}, request: {backendOptions: options}},
      );
      while (!existsSync(join(bench.workspace, 'started'))) await delay(20);
      const listed = await containers();
      const shown = await Promise.all(
        listed.map(async ({Id}) => await client.send({method: 'GET', path: `/containers/${Id}/json`})),
      );
      expect(listed.length).toBeGreaterThan(0);
      expect(JSON.stringify([listed, shown])).not.toContain(secret);
      const {output, stdout} = await running;
      expect([output, stdout]).toEqual([{success: true, data: secret}, `${secret}\n`]);
    });

    test('a call can open a terminal, and create nothing in /dev', {timeout}, async () => {
      const {output} = await bench.call(
        `const code = (path, flags) => { try { fs.closeSync(fs.openSync(path, flags)); return 'opened'; } catch (error) { return error.code; } };
         return [code('/dev/ptmx', 'r+'), code('/dev/null', 'r+'), code('/dev/shm/new', 'w'), code('/dev/new', 'w')];`,
        {request: {backendOptions: options}},
      );
      expect(output).toEqual({success: true, data: ['opened', 'opened', 'opened', 'EROFS']});
    });

    test('a call cannot write to the volumes of an image', {timeout}, async () => {
      const {id} = valueOf(await valueOf(openImageStore(backend, {...daemon, nodePath: process.execPath})).build());
      const container = await client.send({
        method: 'POST',
        path: '/containers/create',
        body: {Image: id, Cmd: ['/bin/true']},
      });
      const changes = encodeURIComponent('VOLUME /data /var/deep /tmp');
      const {Id: of = ''} = valueOf(container) as {Id?: string};
      const committed = await client.send({
        method: 'POST',
        path: `/commit?container=${of}&changes=${changes}`,
        body: {},
      });
      await client.send({method: 'DELETE', path: `/containers/${of}?v=1`});
      const {Id: image} = valueOf(committed) as {Id: string};
      const {output, enforcement} = await bench.call(
        `const code = (path) => { try { fs.writeFileSync(path + '/new', ''); return 'written'; } catch (error) { return error.code; } };
         const tmp = fs.statfsSync('/tmp');
         return {codes: ['/data', '/var/deep', '/var', '/tmp'].map(code), tmp: tmp.blocks * tmp.bsize};`,
        {
          limits: {tmp_bytes: 64 * 1024 ** 2},
          request: {backendOptions: {[backend]: {socket: daemon.socket, image}}},
        },
      );
      expect(output).toEqual({
        success: true,
        data: {codes: ['EROFS', 'EROFS', 'EROFS', 'written'], tmp: 48 * 1024 ** 2},
      });
      expect(enforcement.tier).toBe('standard');
    });

    test('a name with a comma adds no option to a mount', {timeout}, async () => {
      bench.put('a,target=/tmp/b/.env', 'SECRET=1');
      const {output} = await bench.call(
        `try { return fs.readFileSync(context.workspace_root + '/a,target=/tmp/b/.env', 'utf8'); } catch (error) { return error.code; }`,
        {read: ['**'], denyOverlays: ['**/.env'], request: {backendOptions: options}},
      );
      rmSync(join(bench.workspace, 'a,target='), {recursive: true});
      if (backend === 'docker') expect(output).toEqual({success: true, data: 'EACCES'});
      else
        expect(output).toMatchObject({
          success: false,
          error: {
            code: 'SANDBOX_UNAVAILABLE',
            message: expect.stringMatching(/podman cannot mount `.*\/a,target=\/tmp\/b\/\.env`, whose .*: rename it/su),
          },
        });
    });

    test('a program inside cannot open the wire', {timeout}, async () => {
      const {output} = await bench.call(
        `const code = (path) => { try { fs.closeSync(fs.openSync(path, 'r+')); return 'opened'; } catch (error) { return error.code; } };
         return [...fs.readdirSync('/run/lumenflow').filter((name) => /host/.test(name)).map((name) => code('/run/lumenflow/' + name)),
           code('/proc/self/fd/3'), code('/proc/self/fd/4')];`,
        {request: {backendOptions: options}},
      );
      expect(output).toEqual({success: true, data: ['EACCES', 'EACCES', 'EACCES', 'EACCES']});
    });

    test('nothing is left of a host that was killed, and a container of another program is', {timeout}, async () => {
      const users = await createUserBench();
      const image = await client.send({method: 'GET', path: '/images/json'});
      const [{Id: Image = ''} = {}] = image.ok ? (image.value as readonly {Id?: string}[]) : [];
      const other = await client.send({
        method: 'POST',
        path: '/containers/create?name=lumenflow-of-another-program',
        body: {Image, Cmd: ['/bin/sleep', '600'], Labels: {'dev.lumenflow.host': 'unknown'}},
      });
      expect(other.ok).toBe(true);
      const beat = join(users.workspace, 'beat');
      const host = users.begin(beating, {backend, uid: 0, options});
      await vi.waitFor(() => expect(existsSync(beat)).toBe(true), {timeout: 60_000, interval: 50});
      const ended = once(host, 'exit');
      host.kill('SIGKILL');
      await ended;
      const left = async (): Promise<readonly string[]> => [
        ...(await containers()).flatMap(({Names}) => Names),
        ...readdirSync(tmpdir()),
      ];
      await vi.waitFor(
        async () => {
          await bench.sandbox.reap(options);
          expect((await left()).filter((name) => name.includes(`-${host.pid}-`))).toEqual([]);
        },
        {timeout: 60_000, interval: 500},
      );
      await beatStops(beat);
      expect((await containers()).map(({Names}) => Names[0])).toContainEqual(
        expect.stringContaining('lumenflow-of-another-program'),
      );
      users.remove();
    });

    test('a call whose engine is killed ends, and nothing of it continues', {timeout}, async () => {
      const beat = join(bench.workspace, 'beat');
      const running = bench.call(beating, {write: ['**'], wallMs: 30_000, request: {backendOptions: options}});
      await vi.waitFor(() => expect(existsSync(beat)).toBe(true), {timeout: 60_000, interval: 50});
      daemon.kill();
      const {output} = await running;
      expect(output.success).toBe(false);
      await beatStops(beat);
      const next = await bench.call('return 1;', {request: {backendOptions: options}});
      expect(next.output).toMatchObject({success: false, error: {code: 'SANDBOX_UNAVAILABLE'}});
      await daemon.startAgain();
      const later = await bench.call('return 1;', {request: {backendOptions: options}});
      expect(later.output).toEqual({success: true, data: 1});
    });
  });
}

const rootless = engineObstacle('podman') ?? userObstacle();
describe.skipIf(rootless !== undefined)(
  `podman of an ordinary user${rootless === undefined ? '' : ` (${rootless})`}`,
  () => {
    let daemon: EngineDaemon;
    let bench: UserBench;
    beforeAll(async () => {
      daemon = await startEngine('podman', nobody);
      bench = await createUserBench();
      chownSync(bench.workspace, nobody, nobody);
    }, timeout);
    afterAll(async () => {
      bench.remove();
      await daemon.end();
    }, timeout);

    test('has the same protection as a call by root', {timeout}, async () => {
      const {output, enforcement} = await bench.call(
        `const code = (f) => { try { f(); return 'ok'; } catch (error) { return error.code; } };
       process.chdir(context.workspace_root);
       return {
         write: code(() => fs.writeFileSync('new.txt', 'x')), outside: code(() => fs.readdirSync('/root')),
         usr: code(() => fs.writeFileSync('/usr/new.txt', 'x')), unshare: (await context.exec('unshare', ['-Ur', 'true'])).exit_code,
         user: (await context.exec('whoami', [])).stdout,
       };`,
        {backend: 'podman', options: {podman: {socket: daemon.socket}}},
      );
      expect(output).toMatchObject({success: true, data: {write: 'ok', outside: 'ENOENT', unshare: 1, user: 'tool\n'}});
      expect(output.data).not.toMatchObject({usr: 'ok'});
      expect(enforcement).toMatchObject({backend: 'podman', tier: 'standard'});
      expect(enforcement.self_test).toMatch(/^[0-9a-f]{64}$/);
      const written = join(bench.workspace, 'new.txt');
      expect([statSync(written).uid, readFileSync(written, 'utf8')]).toEqual([nobody, 'x']);
    });

    test.skipIf(!findNetworkPrograms().ok)('an allowlist is enforced', {timeout}, async () => {
      const {output} = await bench.call(
        `const {connect} = await import('node:net');
         const code = (port, host) => new Promise((done) => connect(port, host).on('connect', () => done('connected')).on('error', ({code}) => done(code)));
         return [await code(443, '192.0.2.1'), await code(443, 'unlisted.example')];`,
        {backend: 'podman', options: {podman: {socket: daemon.socket}}, allow: ['listed.example:443']},
      );
      expect(output).toMatchObject({success: true, data: ['ECONNREFUSED', 'ENOTFOUND']});
    });
  },
);
