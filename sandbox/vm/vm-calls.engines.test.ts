// Calls in virtual machines beyond the conformance suite: by an ordinary user, warm, and after a host was killed.
import {once} from 'node:events';
import {existsSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {findProgram} from '../commands/find-program.ts';
import {descendantsOf} from '../limits/process-tree.ts';
import {createBench, type Bench} from '../testing/sandbox-bench.fixture.ts';
import {createUserBench, userObstacle, type UserBench} from '../testing/user-bench.fixture.ts';
import {findKernel} from './guest-system/find-kernel.ts';
import {ownCache} from '../cache/own-cache.ts';

const programs = ['qemu-system-x86_64', 'busybox', 'mke2fs', 'bwrap'];
const isAbsent = findKernel() === undefined || programs.some((name) => findProgram(name) === undefined);
const install = 'apt-get install qemu-system-x86 linux-image-cloud-amd64 busybox-static';
const timeout = 300_000;

function machinesOf(pid: number): readonly number[] {
  return descendantsOf(pid).filter((each) => commandOf(each).startsWith('/usr/bin/qemu'));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    // It has ended in between.
    return '';
  }
}

describe.skipIf(isAbsent)(`calls in virtual machines (\`${install}\`)`, () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await createBench({backend: 'vm', warm: {}});
  });
  afterAll(() => bench.remove());

  test('a machine that waited sees files as they are when its call arrives', {timeout}, async () => {
    bench.put('src/a', 'old');
    bench.put('src/gone', 'old');
    const entry = bench.handler(
      `const root = context.workspace_root + '/src/'; const names = fs.readdirSync(root);
       return Object.fromEntries(names.map((name) => [name, fs.readFileSync(root + name, 'utf8')]));`,
    );
    const request = {warm: {packHash: 'sha256:1'}};
    const read = ['src/**'];
    const first = await bench.run(entry, {request, read});
    expect(first).toMatchObject({enforcement: {start: 'cold'}, output: {data: {a: 'old', gone: 'old'}}});
    await vi.waitUntil(() => (bench.sandbox.warmPool()?.spares ?? 0) > 0, {timeout: 120_000});
    bench.put('src/a', 'new');
    bench.put('src/b', 'came');
    rmSync(`${bench.workspace}/src/gone`);
    const second = await bench.run(entry, {request, read});
    expect(second).toMatchObject({enforcement: {start: 'warm'}, output: {data: {a: 'new', b: 'came'}}});
  });

  test(
    'machines that continue from the same saved one have their own random numbers, and the time of their call',
    {timeout},
    async () => {
      const entry = bench.handler(
        `return {uuid: fs.readFileSync('/proc/sys/kernel/random/uuid', 'utf8'), at: Date.now()};`,
      );
      const call = async (): Promise<{readonly uuid: string; readonly late: number}> => {
        const startedAt = Date.now();
        const {output} = await bench.run(entry);
        const {uuid, at} = output.data as {readonly uuid: string; readonly at: number};
        return {uuid, late: startedAt - at};
      };
      const calls = [await call(), await call(), await call()];
      const cache = ownCache();
      expect(cache.ok && readdirSync(cache.value).filter((name) => /^machine-\w+$/.test(name))).not.toEqual([]);
      expect(new Set(calls.map(({uuid}) => uuid)).size).toBe(3);
      expect(Math.max(...calls.map(({late}) => late))).toBeLessThan(1000);
    },
  );

  test('a handler reaches neither the agent nor the devices of its machine', {timeout}, async () => {
    const {output} = await bench.call(
      `const code = (attempt) => { try { attempt(); return 'ok'; } catch (error) { return error.code ?? String(error); } };
       const run = async (...command) => (await context.exec('sh', ['-c', command.join(' ')])).exit_code;
       return {
         port: code(() => fs.readdirSync('/dev').filter((name) => /^(?:vport|vd|ttyS|mem|kmsg|port)/.test(name)).forEach((name) => { throw new Error(name); })),
         files: code(() => fs.readdirSync('/files')), agent: code(() => fs.readFileSync('/run/agent.cjs')),
         sys: code(() => fs.readdirSync('/sys/class')), groups: code(() => fs.readdirSync('/sys/fs/cgroup')),
         system: code(() => fs.writeFileSync('/usr/new', '')), processes: fs.readdirSync('/proc').filter((name) => Number(name) > 20),
         root: code(() => fs.readFileSync('/proc/1/root/run/agent.cjs')),
         panic: code(() => fs.writeFileSync('/proc/sysrq-trigger', 'c')), core: code(() => fs.writeFileSync('/proc/sys/kernel/core_pattern', '|/bin/sh')),
         mount: await run('mount -t tmpfs none /tmp'), mknod: await run('mknod /tmp/disk b 254 0'), module: await run('insmod /dev/null'),
         reboot: await run('busybox reboot -f'), namespace: await run('unshare -Ur true'),
       };`,
    );
    expect(output.data).toMatchObject({port: 'ok', processes: []});
    const {port: _, processes: __, ...attempts} = output.data as Record<string, unknown>;
    for (const [name, result] of Object.entries(attempts)) expect([name, result]).not.toEqual([name, 'ok']);
    for (const [name, result] of Object.entries(attempts)) expect([name, result]).not.toEqual([name, 0]);
  });

  test('native modules find every library of C and C++', {timeout}, async () => {
    const folder = '/lib/x86_64-linux-gnu';
    const usual = /^lib(?:c|m|rt|dl|pthread|util|resolv|anl|gcc_s|stdc\+\+)\.so\.\d$/u;
    const names = readdirSync(folder).filter((name) => usual.test(name));
    expect(names).toContain('librt.so.1');
    const {output} = await bench.call(
      `return ${JSON.stringify(names)}.filter((name) => !fs.existsSync('${folder}/' + name));`,
    );
    expect(output).toEqual({success: true, data: []});
  });

  test('a machine that uses all its memory fails its call, and no other', {timeout}, async () => {
    const limits = {memory_bytes: 128 * 1024 ** 2};
    const filling = `const kept = []; for (;;) kept.push(Buffer.alloc(1 << 20, 1));`;
    const [full, other] = await Promise.all([bench.call(filling, {limits, wallMs: 120_000}), bench.call('return 1;')]);
    expect(full.output.error).toMatchObject({code: 'LIMIT_EXCEEDED', details: {limit: 'memory_bytes'}});
    expect(other.output).toEqual({success: true, data: 1});
  });
});

// Without another bench, whose spares start when they like.
test.skipIf(isAbsent)('closing leaves no machine', {timeout}, async () => {
  const bench = await createBench({backend: 'vm', warm: {}});
  const running = bench.call(`context.progress('up'); for (;;) {}`);
  await vi.waitUntil(() => machinesOf(process.pid).length > 0, {timeout: 60_000});
  await bench.remove();
  expect((await running).output.success).toBe(false);
  expect(machinesOf(process.pid)).toEqual([]);
});

describe.skipIf(isAbsent || userObstacle() !== undefined)(`vm in another process (\`${install}\`)`, () => {
  let bench: UserBench;
  beforeAll(async () => {
    bench = await createUserBench();
  });
  afterAll(() => bench.remove());

  test('an ordinary user has the same protection', {timeout}, async () => {
    const {output, enforcement} = await bench.call(`return (await import('node:os')).release();`, {
      backend: 'vm',
      write: [],
    });
    expect(output).toEqual({success: true, data: findKernel()?.release});
    expect(enforcement).toMatchObject({backend: 'vm', tier: 'hardened'});
  });

  test('a machine ends with a host that is killed', {timeout}, async () => {
    const host = bench.begin(`for (;;) {}`, {backend: 'vm', uid: 0, write: []});
    const machines = (): readonly number[] => (host.pid === undefined ? [] : machinesOf(host.pid));
    await vi.waitUntil(() => machines().length > 0, {timeout: 120_000});
    const left = machines();
    const ended = once(host, 'exit');
    host.kill('SIGKILL');
    await ended;
    await vi.waitUntil(() => left.every((pid) => !existsSync(`/proc/${pid}`)), {timeout: 60_000});
  });
});
