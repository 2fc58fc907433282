import {expect, test} from 'vitest';
import type {SandboxProfile} from '@lumenflow/schemas';
import {ociSeccomp} from './oci-seccomp.ts';
import {ociSpec, type OciSpec, type OciSpecInput} from './oci-spec.ts';

const narrow: SandboxProfile = {
  readonly_bind_mounts: [],
  writable_bind_mounts: [],
  network_posture: 'off',
  network_allowlist: [],
  deny_overlays: [],
  env: {PATH: '/usr/bin'},
  limits: {},
  syscalls: 'standard',
};

function specOf(profile: Partial<SandboxProfile>, changes: Partial<OciSpecInput> = {}): OciSpec {
  return ociSpec({
    profile: {...narrow, ...profile},
    cwd: '/w',
    argv: ['true'],
    mappedUser: {uid: 1000, gid: 1000},
    joinsNetwork: false,
    filter: ociSeccomp('x64', false),
    kernelPaths: ['/proc/sys'],
    maskedPaths: ['/proc/keys'],
    systemPaths: ['/usr'],
    ownFiles: {'/etc/passwd': '/bundle/etc/passwd'},
    hasOwnKernel: false,
    hiddenFile: '/bundle/hidden',
    emptyDirectory: (inner) => `/bundle/empty:${inner.map(({path}) => path).join(',')}`,
    ...changes,
  });
}

const bind = (path: string) => ({source: path, target: path});

test('the narrowest profile has every protection', () => {
  const {process, root, linux, mounts} = specOf({});
  expect(process).toMatchObject({
    capabilities: {bounding: [], effective: [], inheritable: [], permitted: [], ambient: []},
    noNewPrivileges: true,
    terminal: false,
    env: ['PATH=/usr/bin'],
    rlimits: [{type: 'RLIMIT_CORE', hard: 0, soft: 0}],
  });
  expect(root).toEqual({path: 'rootfs', readonly: true});
  expect(linux.namespaces.map(({type}) => type)).toEqual(['pid', 'ipc', 'uts', 'mount', 'cgroup', 'network', 'user']);
  expect(linux).toMatchObject({readonlyPaths: ['/proc/sys'], maskedPaths: ['/proc/keys']});
  expect(linux.uidMappings).toEqual([{containerID: 0, hostID: 1000, size: 1}]);
  expect(linux.seccomp?.syscalls.length).toBeGreaterThan(50);
  for (const {type, options, destination} of mounts) {
    expect([destination, options.includes('nosuid')]).toEqual([destination, true]);
    if (type === 'bind') expect([destination, options.includes('ro')]).toEqual([destination, true]);
  }
});

test('mounts go parents first; on one target writable, read-only, hidden', () => {
  const {mounts} = specOf({
    writable_bind_mounts: [bind('/w/a/b'), bind('/w')],
    readonly_bind_mounts: [bind('/w/a'), bind('/w/.git/hooks'), bind('/w/state/pack')],
    deny_overlays: [
      {path: '/w/.env', kind: 'file'},
      {path: '/w/state', kind: 'directory'},
    ],
  });
  const own = mounts.filter(({destination}) => destination.startsWith('/w'));
  expect(own.map(({destination, source, options}) => `${destination} ${source} ${options[1]}`)).toEqual([
    '/w /w rw',
    '/w/a /w/a ro',
    '/w/.env /bundle/hidden ro',
    '/w/state /bundle/empty:pack ro',
    '/w/a/b /w/a/b rw',
    '/w/.git/hooks /w/.git/hooks ro',
    '/w/state/pack /w/state/pack ro',
  ]);
});

test('a workspace of which nothing is granted is an empty, read-only directory', () => {
  const {mounts} = specOf({readonly_bind_mounts: [bind('/opt/node')]});
  expect(mounts.find(({destination}) => destination === '/w')).toMatchObject({
    source: '/bundle/empty:',
    options: expect.arrayContaining(['ro']),
  });
});

test('limits become those of the process, and /tmp and the home directory share theirs', () => {
  const {process, mounts} = specOf({limits: {open_files: 64, file_size_bytes: 4096, tmp_bytes: 4_000_000}});
  expect(process.rlimits).toEqual(
    expect.arrayContaining([
      {type: 'RLIMIT_NOFILE', hard: 64, soft: 64},
      {type: 'RLIMIT_FSIZE', hard: 4096, soft: 4096},
    ]),
  );
  const sizes = mounts
    .filter(({destination}) => destination.startsWith('/tmp'))
    .map(({options}) => Number(/size=(\d+)/.exec(options.join())?.[1]));
  expect(sizes).toEqual([3_000_000, 1_000_000]);
});

test('a network is the one that the runtime is started in', () => {
  const {linux} = specOf({network_posture: 'allowlist'}, {joinsNetwork: true});
  expect(linux.namespaces).not.toContainEqual({type: 'network'});
});

test('crun gets the filter as a program, and a profile without a filter gets none', () => {
  const program = specOf({}, {filter: {program: Uint8Array.of(1, 2, 3)}});
  expect(program.annotations).toEqual({'run.oci.seccomp_bpf_data': 'AQID'});
  expect(program.linux.seccomp).toBeUndefined();
  expect(specOf({syscalls: 'none'}).linux.seccomp).toBeUndefined();
});

test('no option of a profile gives a container a device, a capability or a namespace of the host', () => {
  const spec = specOf({network_posture: 'full', limits: {}, syscalls: 'none'}, {joinsNetwork: true});
  expect(Object.keys(spec.linux).toSorted()).toEqual([
    'gidMappings',
    'maskedPaths',
    'namespaces',
    'readonlyPaths',
    'uidMappings',
  ]);
  expect(spec.linux.namespaces.every((namespace) => !('path' in namespace))).toBe(true);
});
