import {expect, test} from 'vitest';
import type {SandboxProfile} from '@lumenflow/schemas';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {containerRequest, type ContainerRequest, type ContainerRequestInput} from './container-request.ts';

const bind = (path: string) => ({source: path, target: path});

function requestOf(profile: Partial<SandboxProfile>, changes: Partial<ContainerRequestInput> = {}): ContainerRequest {
  return containerRequest({
    profile: {...narrowestProfile(), ...profile},
    cwd: '/w',
    image: 'sha256:1',
    mark: 'mark',
    owner: '1-2',
    argv: ['/usr/bin/node', 'runner.cjs'],
    user: {uid: 1000, gid: 1000},
    pipes: '/bundle/pipes',
    withWire: true,
    volumes: [],
    filter: '{}',
    kernelPaths: ['/proc/sys'],
    maskedPaths: ['/proc/keys'],
    masksByOption: false,
    networkOf: undefined,
    systemPaths: [],
    ownFiles: {'/etc/passwd': '/bundle/etc/passwd'},
    emptyDirectory: (inner) => `/bundle/empty:${inner.map(({path}) => path).join(',')}`,
    hiddenFile: '/bundle/hidden',
    ...changes,
  });
}

test('the narrowest profile has every protection', () => {
  const {HostConfig, User, Image} = requestOf({});
  expect([User, Image]).toEqual(['1000:1000', 'sha256:1']);
  expect(HostConfig).toMatchObject({
    NetworkMode: 'none',
    IpcMode: 'private',
    ReadonlyRootfs: true,
    Privileged: false,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges', 'seccomp={}'],
    ReadonlyPaths: ['/proc/sys', '/dev'],
    LogConfig: {Type: 'none'},
  });
  expect(HostConfig['MaskedPaths']).toContain('/proc/keys');
  expect(HostConfig.Mounts.every(({ReadOnly}) => ReadOnly)).toBe(true);
  for (const options of Object.values(HostConfig.Tmpfs)) expect(options).toMatch(/^rw,nosuid,nodev,noexec,/);
});

test('each path has one mount: of several, that which hides or protects most', () => {
  const {HostConfig} = requestOf({
    writable_bind_mounts: [bind('/w'), bind('/w/a')],
    readonly_bind_mounts: [bind('/w/a')],
    deny_overlays: [{path: '/w/.env', kind: 'file'}],
  });
  const own = HostConfig.Mounts.filter(({Target}) => Target.startsWith('/w'));
  expect(own.map(({Source, Target, ReadOnly}) => `${Target} ${Source} ${ReadOnly ? 'ro' : 'rw'}`)).toEqual([
    '/w /w rw',
    '/w/a /w/a ro',
    '/w/.env /bundle/hidden ro',
  ]);
});

test('an engine without a list of read-only paths gets folders in which nothing can be created', () => {
  const {HostConfig, Entrypoint} = requestOf({}, {masksByOption: true});
  expect(HostConfig.Tmpfs).toMatchObject({
    '/dev': expect.stringMatching(/^ro,nosuid,dev,noexec,/),
    '/dev/shm': expect.stringMatching(/^rw,nosuid,nodev,noexec,/),
    '/run': expect.stringMatching(/^ro,/),
    '/var/tmp': expect.stringMatching(/^ro,/),
  });
  expect(HostConfig.Mounts).toContainEqual({Type: 'devpts', Target: '/dev/pts'});
  expect(Entrypoint.join(' ')).toContain('chmod 666 /dev/pts/ptmx');
});

test('memory has no swap beside it, and the number of processes leaves room for the runtime', () => {
  const {HostConfig} = requestOf({limits: {memory_bytes: 1e8, processes: 64}});
  expect(HostConfig).toMatchObject({Memory: 1e8, MemorySwap: 1e8, PidsLimit: 88});
  expect(requestOf({}).HostConfig).not.toHaveProperty('Memory');
});

test('the command line contains nothing of the environment', () => {
  const {Cmd, Entrypoint, Env, Labels} = requestOf({env: {PATH: '/usr/bin', TOKEN: 'value'}});
  expect(Env).toEqual(['PATH=/usr/bin', 'TOKEN=value']);
  expect(JSON.stringify([Cmd, Entrypoint, Labels])).not.toContain('value');
  expect(Cmd).toEqual(['PWD OLDPWD HOSTNAME HOME TERM container', '/usr/bin/node', 'runner.cjs']);
});

test('no profile gives a container a device, a capability, a namespace of the host or the socket of an engine', () => {
  const {HostConfig} = requestOf({network_posture: 'full', syscalls: 'none'});
  expect(Object.keys(HostConfig).toSorted()).toEqual([
    'CapDrop',
    'CgroupnsMode',
    'IpcMode',
    'LogConfig',
    'MaskedPaths',
    'Mounts',
    'NetworkMode',
    'Privileged',
    'ReadonlyPaths',
    'ReadonlyRootfs',
    'RestartPolicy',
    'SecurityOpt',
    'Tmpfs',
    'Ulimits',
  ]);
  expect(HostConfig['NetworkMode']).toBe('none');
  expect(HostConfig.Mounts.some(({Source}) => Source?.endsWith('.sock'))).toBe(false);
});

test('a volume of the image is an empty directory that cannot be written to, unless something is mounted there', () => {
  const {HostConfig} = requestOf({writable_bind_mounts: [bind('/w/a')]}, {volumes: ['/data', '/w', '/tmp', '/w/a']});
  const own = HostConfig.Mounts.filter(({Target}) => /^\/(?:data|w|tmp)\b/.test(Target));
  expect(own.map(({Source, Target, ReadOnly}) => `${Target} ${Source} ${ReadOnly ? 'ro' : 'rw'}`)).toEqual([
    '/data /bundle/empty: ro',
    '/w /bundle/empty:a ro',
    '/w/a /w/a rw',
  ]);
});
