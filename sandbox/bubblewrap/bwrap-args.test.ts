import {expect, test} from 'vitest';
import type {SandboxProfile} from '@lumenflow/schemas';
import {bwrapArgs} from './bwrap-args.ts';

const host = {
  topLevel: [
    {path: '/bin', link: 'usr/bin'},
    {path: '/opt', link: undefined},
  ],
  languageSettings: ['/etc/php/8.2/cli/conf.d'],
  kernelPaths: ['/proc/sys'],
  maskedPaths: ['/proc/keys'],
  uid: 0,
  gid: 0,
};
const fds = {passwd: 5, group: 6, hosts: 7, seccomp: 8, resolvConf: 9, nsswitch: 10};
const bind = (path: string) => ({source: path, target: path});

function argsOf(profile: Partial<SandboxProfile>, joinsNetwork = false): string {
  const whole: SandboxProfile = {
    readonly_bind_mounts: [],
    writable_bind_mounts: [],
    network_posture: 'off',
    network_allowlist: [],
    deny_overlays: [],
    env: {},
    limits: {},
    syscalls: 'standard',
    ...profile,
  };
  return bwrapArgs({profile: whole, host, cwd: '/w', fds, joinsNetwork}).join(' ');
}

test('the narrowest profile has every protection', () => {
  expect(argsOf({})).toMatchInlineSnapshot(
    `"--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net --disable-userns --cap-drop ALL --die-with-parent --new-session --hostname sandbox --ro-bind /usr /usr --symlink usr/bin /bin --ro-bind /opt /opt --ro-bind-try /etc/ld.so.cache /etc/ld.so.cache --ro-bind-try /etc/alternatives /etc/alternatives --ro-bind-try /etc/localtime /etc/localtime --ro-bind-try /etc/php/8.2/cli/conf.d /etc/php/8.2/cli/conf.d --perms 0644 --file 5 /etc/passwd --perms 0644 --file 6 /etc/group --perms 0644 --file 7 /etc/hosts --proc /proc --ro-bind /proc/sys /proc/sys --ro-bind /dev/null /proc/keys --dev /dev --size 67108864 --perms 1777 --tmpfs /dev/shm --size 268435456 --perms 1777 --tmpfs /tmp --perms 0700 --dir /tmp/home --size 1048576 --perms 0755 --tmpfs /w --remount-ro /w --remount-ro / --remount-ro /dev --clearenv --chdir /w --seccomp 8"`,
  );
});

test('mounts go parents first; on one target writable, read-only, hidden; hidden directories are sealed last', () => {
  const args = argsOf({
    writable_bind_mounts: [bind('/w/.git'), bind('/w/x'), bind('/w')],
    readonly_bind_mounts: [bind('/w/.lumenflow/pack'), bind('/w/.git/hooks'), bind('/w/x')],
    deny_overlays: [
      {path: '/w/.lumenflow', kind: 'directory'},
      {path: '/w/.env', kind: 'file'},
    ],
  });
  expect(args.slice(args.indexOf('--bind'), args.indexOf('--clearenv'))).toBe(
    '--bind /w /w --bind /w/.git /w/.git --bind /w/x /w/x --ro-bind /w/x /w/x --ro-bind /dev/null /w/.env ' +
      '--size 1048576 --perms 0755 --tmpfs /w/.lumenflow --ro-bind /w/.git/hooks /w/.git/hooks ' +
      '--ro-bind /w/.lumenflow/pack /w/.lumenflow/pack --remount-ro /w/.lumenflow --remount-ro / --remount-ro /dev ',
  );
});

test.each(['allowlist', 'full'] as const)(
  'the network of posture %s is joined with its configuration, never shared',
  (network_posture) => {
    expect(argsOf({network_posture})).toContain('--unshare-net');
    const joined = argsOf({network_posture}, true);
    expect(joined).not.toContain('--unshare-net');
    expect(joined).toContain('--file 9 /etc/resolv.conf --perms 0644 --file 10 /etc/nsswitch.conf');
    expect(joined).not.toContain('--ro-bind-try /etc/resolv.conf');
    expect(argsOf({})).not.toContain('resolv.conf');
  },
);

test('env, the size of /tmp and the filter follow the profile', () => {
  const args = argsOf({env: {A: 'one two', B: ''}, limits: {tmp_bytes: 8192}, syscalls: 'none'});
  expect(args).toContain('--clearenv --setenv A one two --setenv B  --chdir /w');
  expect(args).toContain('--size 8192 --perms 1777 --tmpfs /tmp');
  expect(args).not.toContain('--seccomp');
});
