import {expect, test} from 'vitest';
import type {SandboxProfile} from '@lumenflow/schemas';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {containerdRuntimes} from './containerd-runtimes.ts';
import {containerdSpec, type ContainerdSpec, type ContainerdSpecInput} from './containerd-spec.ts';

function specOf(profile: Partial<SandboxProfile>, changes: Partial<ContainerdSpecInput> = {}): ContainerdSpec {
  return containerdSpec({
    runtime: containerdRuntimes.runc,
    profile: {...narrowestProfile(), ...profile},
    cwd: '/w',
    argv: ['/usr/bin/node', 'runner.cjs'],
    bundleFolder: '/bundle',
    pipes: '/bundle/pipes',
    user: {uid: 1000, gid: 1000},
    networkPath: undefined,
    cgroupsPath: '/id',
    showsGroup: false,
    filter: {defaultAction: 'SCMP_ACT_ALLOW', architectures: [], syscalls: []},
    kernelPaths: ['/proc/sys'],
    maskedPaths: ['/proc/keys'],
    systemPaths: ['/usr'],
    ownFiles: {'/etc/passwd': '/bundle/etc/passwd'},
    emptyDirectory: (inner) => `/bundle/empty:${inner.map(({path}) => path).join(',')}`,
    hiddenFile: '/bundle/hidden',
    ...changes,
  });
}

const kata = {runtime: containerdRuntimes.kata};

test('the narrowest profile has every protection', () => {
  const {process, root, linux, mounts} = specOf({});
  expect(process).toMatchObject({noNewPrivileges: true, user: {uid: 0, gid: 0}});
  expect(Object.values(process.capabilities).flat()).toEqual([]);
  expect(root).toEqual({path: '/bundle/rootfs', readonly: true});
  expect(linux.namespaces.map(({type}) => type).toSorted()).toEqual([
    'cgroup',
    'ipc',
    'mount',
    'network',
    'pid',
    'user',
    'uts',
  ]);
  expect(linux.namespaces.every((namespace) => namespace.path === undefined)).toBe(true);
  expect(linux).toMatchObject({
    uidMappings: [{containerID: 0, hostID: 1000, size: 1}],
    resources: {devices: [{allow: false, access: 'rwm'}]},
    seccomp: {defaultAction: 'SCMP_ACT_ALLOW'},
  });
  const binds = mounts.filter(({type}) => type === 'bind');
  expect(binds.every(({options}) => ['ro', 'nosuid', 'nodev'].every((option) => options.includes(option)))).toBe(true);
  expect(binds).toContainEqual(expect.objectContaining({source: '/bundle/pipes', destination: '/run/lumenflow'}));
  expect(mounts.some(({destination}) => destination === '/sys/fs/cgroup')).toBe(false);
});

test('memory has no swap beside it, and limits leave room for the runtime', () => {
  const {overheadBytes, tasks} = containerdRuntimes.runc;
  const {resources} = specOf({limits: {memory_bytes: 1e8, processes: 64}}).linux;
  expect(resources).toMatchObject({
    memory: {limit: 1e8 + overheadBytes, swap: 1e8 + overheadBytes},
    pids: {limit: tasks(64)},
  });
});

test('the network of a call is joined by its path', () => {
  const networks = specOf({}, {networkPath: '/proc/1/fd/7'}).linux.namespaces.filter(({type}) => type === 'network');
  expect(networks).toEqual([{type: 'network', path: '/proc/1/fd/7'}]);
});

test('a guest with its own kernel has this user, no pipes of the host and no user namespace', () => {
  const {process, linux, mounts} = specOf({}, kata);
  expect(process.user).toEqual({uid: 1000, gid: 1000});
  expect(linux.namespaces.some(({type}) => type === 'user')).toBe(false);
  expect(linux.uidMappings).toBeUndefined();
  expect(mounts.some(({source}) => source === '/bundle/pipes')).toBe(false);
  expect(mounts).toContainEqual(expect.objectContaining({type: 'tmpfs', destination: '/run/lumenflow'}));
});

test('no profile gives a container a device, a capability, a namespace of the host or the socket of containerd', () => {
  for (const changes of [{}, kata]) {
    const {process, linux, mounts} = specOf({network_posture: 'full', syscalls: 'none'}, changes);
    expect(Object.values(process.capabilities).flat()).toEqual([]);
    expect(Object.keys(linux).toSorted()).not.toContain('devices');
    expect(linux.resources.devices).toEqual([{allow: false, access: 'rwm'}]);
    expect(linux.namespaces.filter(({path}) => path !== undefined)).toEqual([]);
    expect(mounts.some(({source}) => source.endsWith('.sock'))).toBe(false);
  }
});
