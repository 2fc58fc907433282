// What needs no machine to boot: the requests, as the published API takes them; the unpacked kernel; what a killed host left.
import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, mkdtempSync, readlinkSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gunzipSync, gzipSync} from 'node:zlib';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {bundleStandIns} from '../testing/firecracker/bundle-stand-ins.fixture.ts';
import {createVmBackend} from '../vm/create-vm-backend.ts';
import {firecracker} from './firecracker.ts';
import {apiListens, putToApi} from './firecracker-api.ts';
import {openJail, reapJails} from './jail.ts';
import {requestsFor} from './launch-firecracker.ts';
import {packedKernel} from './unpack-kernel.ts';

let folder: string;
beforeAll(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'firecracker-')))));
afterAll(() => rmSync(folder, {recursive: true}));

const machine = {memoryBytes: 512 * 1024 ** 2 + 1, processors: 2};

test('without Firecracker, the backend is reported as tested with a stand-in', async () => {
  const backend = createVmBackend(firecracker, {
    runner: {nodePath: process.execPath},
    executor: createSpawnExecutor(),
    searchPath: '/usr/bin:/bin',
    agentPath: '/nonexistent',
    options: {program: '/nonexistent'},
  });
  expect(await backend.probe()).toMatchObject({available: false, backend: 'firecracker', testedWithStandIn: true});
});

test('a machine has a read-only disk, a vsock and no network interface', () => {
  const requests = requestsFor(machine);
  expect(requests.map(({path}) => path)).toEqual([
    '/machine-config',
    '/boot-source',
    '/drives/system',
    '/vsock',
    '/actions',
  ]);
  expect(requests[0]?.body).toMatchObject({mem_size_mib: 513});
  expect(requests[2]?.body).toMatchObject({is_read_only: true});
});

describe('the API', () => {
  let program: ChildProcess;
  const socket = (): string => join(folder, 'api.sock');
  beforeAll(async () => {
    const standIns = await bundleStandIns(folder);
    program = spawn(standIns.program, ['--id', 'vm', '--api-sock', socket()], {stdio: 'inherit'});
    expect(await apiListens(socket(), () => program.exitCode !== null)).toBe(true);
  });
  afterAll(async () => {
    program.kill();
    await once(program, 'exit');
  });

  test('accepts what describes a machine, except files that are not there', async () => {
    for (const request of requestsFor(machine).slice(0, -1)) {
      const fault = await putToApi(socket(), request);
      const hasFiles = ['/boot-source', '/drives/system'].includes(request.path);
      expect([request.path, fault]).toEqual([
        request.path,
        hasFiles ? expect.stringContaining('Unable to open') : undefined,
      ]);
    }
  });

  test.each([
    ['/machine-config', {vcpu_count: 33, mem_size_mib: 512}, /invalid value: 33/],
    ['/machine-config', {vcpu_count: 1, mem_size_mib: 512, memory: 1}, /unknown field `memory`/],
    ['/vsock', {uds_path: '/vsock'}, /missing field `guest_cid`/],
    ['/drives/a', {drive_id: 'b', is_root_device: false, path_on_host: '/dev/null'}, /does not match/],
    ['/nics/eth0', {}, /Invalid request method and.or path/],
    ['/actions', {action_type: 'InstanceStart'}, /without kernel/],
  ])('what is wrong with PUT %s %j is returned', async (path, body, fault) => {
    expect(await putToApi(socket(), {path, body})).toMatch(fault);
  });
});

test('a program that has ended does not listen', async () => {
  expect(await apiListens(join(folder, 'nothing.sock'), () => true)).toBe(false);
});

test('the kernel is unpacked from the image of a distribution', () => {
  const packed = gzipSync('\x7fELF kernel');
  const [setupSectors, offset] = [2, 40];
  const image = Buffer.alloc(3 * 512 + offset + packed.length + 4 + 100, 1);
  image.writeUInt8(setupSectors, 0x1f1);
  image.writeUInt32LE(offset, 0x248);
  image.writeUInt32LE(packed.length + 4, 0x24c);
  packed.copy(image, 3 * 512 + offset);
  expect(gunzipSync(packedKernel(image)).toString()).toBe('\x7fELF kernel');
});

describe.skipIf(process.geteuid?.() !== 0)('jails (as root)', () => {
  test('a jail belongs to a user of its own, who cannot write to its files', async () => {
    writeFileSync(join(folder, 'disk'), 'disk');
    const jail = await openJail('/opt/firecracker', {disk: join(folder, 'disk')});
    const as = (script: string): number | null =>
      spawnSync('sh', ['-c', script], {cwd: jail.root, uid: jail.uid, gid: jail.uid}).status;
    expect(as('cat disk && : > api.sock')).toBe(0);
    expect(as('echo other > disk')).not.toBe(0);
    await jail.remove();
    expect(existsSync(jail.root)).toBe(false);
  });

  test('machines of a killed host are ended, and no others', async () => {
    const {pid: ended} = spawnSync('true');
    const [namespace = ''] = /\d+/.exec(readlinkSync('/proc/self/ns/pid')) ?? [];
    const left = join(tmpdir(), `lumenflow-jail-${namespace}-${ended}-abcdef`);
    mkdirSync(left);
    const [uid, otherUid] = [1_999_999_991, 1_999_999_992];
    writeFileSync(join(left, 'uid'), String(uid));
    const [machine, other] = [uid, otherUid].map((user) => spawn('sleep', ['60'], {uid: user, gid: user}));
    const end = once(machine as ChildProcess, 'exit');
    await reapJails();
    expect(await end).toEqual([null, 'SIGKILL']);
    expect(existsSync(left)).toBe(false);
    expect(other?.exitCode).toBeNull();
    other?.kill();
  });
});
