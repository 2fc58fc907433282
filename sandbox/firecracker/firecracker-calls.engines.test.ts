// Calls in machines of a stand-in for Firecracker, which accepts only what Firecracker's API defines. The jail, the guest and its vsock are real.
import {once} from 'node:events';
import {existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {findProgram} from '../commands/find-program.ts';
import {descendantsOf} from '../limits/process-tree.ts';
import {bundleStandIns, type StandIns} from '../testing/firecracker/bundle-stand-ins.fixture.ts';
import {createBench, type Bench} from '../testing/sandbox-bench.fixture.ts';
import {createUserBench} from '../testing/user-bench.fixture.ts';
import {findKernel} from '../vm/guest-system/find-kernel.ts';
import {reapJails} from './jail.ts';

const programs = ['qemu-system-x86_64', 'busybox', 'mke2fs', 'bwrap', 'lz4', 'unshare'];
const isAbsent =
  process.geteuid?.() !== 0 || findKernel() === undefined || programs.some((name) => findProgram(name) === undefined);
const install = 'as root; apt-get install qemu-system-x86 linux-image-cloud-amd64 busybox-static lz4';
const timeout = 500_000;

function machinesOf(pid: number): readonly number[] {
  return descendantsOf(pid).filter((each) => commandOf(each).startsWith('/usr/bin/qemu'));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    // It has ended.
    return '';
  }
}

/** Of a host. */
function jails(pid: number): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('lumenflow-jail-') && name.includes(`-${pid}-`));
}

describe.skipIf(isAbsent)(`calls in machines of Firecracker (${install})`, () => {
  let bench: Bench;
  let folder: string;
  let request: {readonly backendOptions: {readonly firecracker: StandIns}};
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-firecracker-')));
    bench = await createBench({backend: 'firecracker'});
    request = {backendOptions: {firecracker: await bundleStandIns(folder)}};
  });
  afterAll(async () => {
    await bench.remove();
    rmSync(folder, {recursive: true});
  });

  test('a call has its files, a kernel of its own and no network card', {timeout}, async () => {
    bench.put('src/a', 'content');
    bench.put('src/large', 'x'.repeat(1_000_000));
    const entry = bench.handler(
      `const read = (name) => fs.readFileSync(context.workspace_root + '/src/' + name, 'utf8');
       console.log('printed');
       return {content: read('a'), large: read('large').length, release: os.release(), cards: Object.keys(os.networkInterfaces())};`,
      `import os from 'node:os';`,
    );
    const {output, stdout, enforcement} = await bench.run(entry, {read: ['src/**'], request});
    const data = {content: 'content', large: 1_000_000, release: findKernel()?.release, cards: ['lo']};
    expect(output).toEqual({success: true, data});
    expect(stdout).toBe('printed\n');
    expect(enforcement).toMatchObject({backend: 'firecracker', tier: 'hardened'});
    await vi.waitUntil(() => jails(process.pid).length === 0, {timeout: 60_000});
  });

  test('a call that does not return ends with its machine, and leaves no jail', {timeout}, async () => {
    const {output} = await bench.call(`for (;;) {}`, {wallMs: 2000, request});
    expect(output.error).toMatchObject({code: 'TOOL_TIMEOUT'});
    await vi.waitUntil(() => jails(process.pid).length === 0, {timeout: 60_000});
  });

  test('a machine ends with a host that is killed', {timeout}, async () => {
    const userBench = await createUserBench();
    const host = userBench.begin(`for (;;) {}`, {
      backend: 'firecracker',
      options: request.backendOptions,
      uid: 0,
      write: [],
    });
    const machines = (): readonly number[] => (host.pid === undefined ? [] : machinesOf(host.pid));
    await vi.waitUntil(() => machines().length > 0, {timeout: 200_000});
    const left = machines();
    const ended = once(host, 'exit');
    host.kill('SIGKILL');
    await ended;
    await vi.waitUntil(() => left.every((pid) => !existsSync(`/proc/${pid}`)), {timeout: 200_000});
    await reapJails();
    expect(jails(host.pid ?? 0)).toEqual([]);
    userBench.remove();
  });
});
