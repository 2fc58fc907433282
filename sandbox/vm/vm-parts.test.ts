import {chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {spawnSync} from 'node:child_process';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {cpioArchive} from './guest-system/cpio-archive.ts';
import {findKernel} from './guest-system/find-kernel.ts';
import {removeUnused} from './guest-system/remove-unused.ts';
import {ownCache} from '../cache/own-cache.ts';
import {lastOfConsole} from './explain-start.ts';
import {qemuCommand} from './qemu-command.ts';
import {clockKilohertz} from './clock-kilohertz.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'vm-parts-'))));
afterEach(() => rmSync(folder, {recursive: true}));

const machine = {
  programPath: '/usr/bin/qemu-system-x86_64',
  kernelPath: '/boot/vmlinuz',
  initrdPath: '/c/initrd',
  diskPath: '/c/disk',
  clockKilohertz: 2_000_000,
  memoryBytes: 512 * 1024 ** 2,
  processors: 2,
  port: 'fd=3',
};

test('a machine has a disk, a port and no network card', () => {
  const command = qemuCommand({...machine, hasNetwork: false});
  const devices = command.filter((_, index) => command[index - 1] === '-device');
  expect(devices).toEqual([
    'virtio-blk-device,drive=system',
    'virtio-serial-device',
    expect.stringMatching(/^virtserialport,/),
  ]);
  expect(command).toContain('-nodefaults');
  expect(command.join(' ')).not.toMatch(/-netdev|-nic|-net |-monitor|-qmp|-mon|-vnc|hostfwd/);
  expect(command[command.indexOf('-sandbox') + 1]).toBe(
    'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny',
  );
  expect(command[command.indexOf('-drive') + 1]).toContain('readonly=on');
});

test('a machine whose call has a network has a card, through which its host offers no service', () => {
  const command = qemuCommand({...machine, hasNetwork: true});
  const networks = command.filter((_, index) => command[index - 1] === '-netdev');
  expect(networks).toEqual([expect.stringMatching(/^user,id=network,net=192\.0\.0\.0\/29,/)]);
  expect(networks.join()).not.toMatch(/hostfwd|guestfwd|tftp|smb|bootfile/);
});

test.each([
  ['model name\t: Intel(R) Xeon(R) CPU @ 2.90GHz\ncpu MHz\t\t: 1200.000\n', 2_900_000],
  ['model name\t: AMD EPYC\ncpu MHz\t\t: 2596.120\n', 2_596_120],
  ['nothing', 2_000_000],
])('the clock of %j', (cpuinfo, kilohertz) => {
  expect(clockKilohertz(cpuinfo)).toBe(kilohertz);
});

test('of the console, the reason of a panic is reported, not the facts that follow it', () => {
  const panic = '[   91.0] Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000000';
  expect(lastOfConsole(`[    0.1] booting\n${panic}\n[   91.1] Kernel Offset: 0x35c00000\n`)).toBe(panic);
  expect(lastOfConsole('first\nlast\n')).toBe('last');
  expect(lastOfConsole('')).toBe('');
});

test('the newest kernel with all drivers is found', () => {
  const [boot, modules] = [join(folder, 'boot'), join(folder, 'modules')];
  expect(findKernel(boot, modules)).toBeUndefined();
  const releases = ['6.1.0-9-cloud-amd64', '6.1.0-10-cloud-amd64', '6.1.0-11-cloud-amd64', '6.1.0-12-amd64'];
  const drivers = [
    'drivers/virtio/virtio_ring',
    'drivers/virtio/virtio',
    'drivers/virtio/virtio_mmio',
    'drivers/block/virtio_blk',
    'drivers/char/virtio_console',
    'net/vmw_vsock/vsock',
    'net/vmw_vsock/vmw_vsock_virtio_transport_common',
    'net/vmw_vsock/vmw_vsock_virtio_transport',
    'net/core/failover',
    'drivers/net/net_failover',
    'drivers/net/virtio_net',
  ];
  for (const release of releases) {
    put(join(boot, `vmlinuz-${release}`));
    for (const driver of release.includes('-11-') ? drivers.slice(1) : drivers) {
      put(join(modules, release, 'kernel', `${driver}.ko`));
    }
  }
  expect(findKernel(boot, modules)?.release).toBe('6.1.0-10-cloud-amd64');
});

test('a cache that others could have written is refused', () => {
  const own = ownCache(folder);
  expect(own.ok).toBe(true);
  if (own.ok) chmodSync(own.value, 0o777);
  expect(ownCache(folder).ok).toBe(false);
});

test.skipIf(spawnSync('cpio', ['--version']).error !== undefined)(
  'cpio unpacks the archive (`apt-get install cpio`)',
  () => {
    const archive = cpioArchive([{path: 'bin'}, {path: 'bin/tool', content: Buffer.from('content')}]);
    const {stdout} = spawnSync('cpio', ['-i', '--to-stdout', 'bin/tool'], {
      cwd: folder,
      input: archive,
      encoding: 'utf8',
    });
    expect(stdout).toBe('content');
  },
);

function put(path: string): void {
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, '');
}

test('systems that nothing has used for a month are removed', async () => {
  const old = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
  for (const name of ['used', 'unused', 'recent']) put(join(folder, name));
  for (const name of ['used', 'unused']) utimesSync(join(folder, name), old, old);
  await removeUnused(folder, [join(folder, 'used'), join(folder, 'not there')]);
  expect(readdirSync(folder).toSorted()).toEqual(['recent', 'used']);
});
