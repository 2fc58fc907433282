// From a profile to bubblewrap's options: pure, so that every mount and its order can be read in a test.
import type {BindMount, SandboxProfile} from '@lumenflow/schemas';
import {depthOf, isWithin} from '../profile/host-paths.ts';
import {networkFiles, systemFiles} from '../linux/system-files.ts';
import type {HostSystem} from './host-system.ts';

export interface ReadFds {
  readonly seccomp: number;
  readonly passwd: number;
  readonly group: number;
  readonly hosts: number;
  readonly resolvConf: number;
  readonly nsswitch: number;
}

export interface BwrapArgsInput {
  readonly profile: SandboxProfile;
  readonly host: Pick<HostSystem, 'topLevel' | 'languageSettings' | 'kernelPaths' | 'maskedPaths' | 'uid' | 'gid'>;
  /** The working directory of the command: it exists, empty and read-only, even if nothing is mounted in it. */
  readonly cwd: string;
  /** Descriptors that bwrap reads. */
  readonly fds: ReadFds;
  /** Descriptors that bwrap mounts instead of the paths they were opened at. */
  readonly sourceFds?: ReadonlyMap<string, number> | undefined;
  /** Whether bwrap is started inside the network namespace that it uses. */
  readonly joinsNetwork: boolean;
}

const tmpBytesDefault = 256 * 1024 * 1024;
const shmBytes = 64 * 1024 * 1024;
/** An empty directory contains nothing but the mount points of what must be reachable inside it. */
const emptyBytes = 1024 * 1024;

/** The options, without the command: they go through `--args`, where no process list shows them. */
export function bwrapArgs(input: BwrapArgsInput): readonly string[] {
  const {profile, host, cwd, fds, joinsNetwork} = input;
  const tmpBytes = String(profile.limits.tmp_bytes ?? tmpBytesDefault);
  const options: readonly (readonly string[])[] = [
    ...namespaces(joinsNetwork),
    ['--ro-bind', '/usr', '/usr'],
    ...host.topLevel.map(({path, link}) =>
      link === undefined ? ['--ro-bind', path, path] : ['--symlink', link, path],
    ),
    ...systemFiles.map(optional),
    ...host.languageSettings.map(optional),
    ...networkMounts(profile, fds),
    file(fds.passwd, '/etc/passwd'),
    file(fds.group, '/etc/group'),
    file(fds.hosts, '/etc/hosts'),
    ['--proc', '/proc'],
    ...host.kernelPaths.map((path) => ['--ro-bind', path, path]),
    ...host.maskedPaths.map((path) => hide(path, 'file')),
    ['--dev', '/dev'],
    ['--size', String(shmBytes), '--perms', '1777', '--tmpfs', '/dev/shm'],
    ['--size', tmpBytes, '--perms', '1777', '--tmpfs', '/tmp'],
    ['--perms', '0700', '--dir', '/tmp/home'],
    ...mounts(input),
    // The root is a file system of bwrap, without a size limit.
    ['--remount-ro', '/'],
    // Likewise; its devices, terminals and /dev/shm are separate mounts.
    ['--remount-ro', '/dev'],
    ['--clearenv'],
    ...Object.entries(profile.env).map(([name, value]) => ['--setenv', name, value ?? '']),
    ['--chdir', cwd],
    profile.syscalls === 'none' ? [] : ['--seccomp', String(fds.seccomp)],
  ];
  return options.flat();
}

function networkMounts({network_posture}: SandboxProfile, fds: ReadFds): readonly (readonly string[])[] {
  switch (network_posture) {
    case 'off':
      return [];
    case 'full':
    case 'allowlist':
      return [
        file(fds.resolvConf, '/etc/resolv.conf'),
        file(fds.nsswitch, '/etc/nsswitch.conf'),
        ...networkFiles.map(optional),
      ];
    default:
      return network_posture satisfies never;
  }
}

function namespaces(joinsNetwork: boolean): readonly (readonly string[])[] {
  return [
    ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    // A network without a namespace to join is off.
    joinsNetwork ? [] : ['--unshare-net'],
    ['--disable-userns', '--cap-drop', 'ALL', '--die-with-parent', '--new-session', '--hostname', 'sandbox'],
  ];
}

interface Mount {
  readonly target: string;
  /** Among mounts on one target, the last one applies. */
  readonly rank: 0 | 1 | 2;
  readonly args: readonly string[];
}

/** Parents before children; on the same target writable, then read-only, then hidden. */
function mounts({profile, cwd, sourceFds}: BwrapArgsInput): readonly (readonly string[])[] {
  const bind = (option: '--bind' | '--ro-bind', {source, target}: BindMount): readonly string[] => {
    const fd = sourceFds?.get(source);
    return fd === undefined ? [option, source, target] : [`${option}-fd`, String(fd), target];
  };
  const isCwdMounted = [...profile.writable_bind_mounts, ...profile.readonly_bind_mounts].some(({target}) =>
    isWithin(cwd, target),
  );
  const hiddenDirectories = profile.deny_overlays.filter(({kind}) => kind === 'directory').map(({path}) => path);
  const all: Mount[] = [
    ...(isCwdMounted ? [] : [{target: cwd, rank: 0 as const, args: emptyDirectory(cwd)}]),
    ...profile.writable_bind_mounts.map((mount) => ({
      target: mount.target,
      rank: 0 as const,
      args: bind('--bind', mount),
    })),
    ...profile.readonly_bind_mounts.map((mount) => ({
      target: mount.target,
      rank: 1 as const,
      args: bind('--ro-bind', mount),
    })),
    ...profile.deny_overlays.map(({path, kind}) => ({target: path, rank: 2 as const, args: hide(path, kind)})),
  ];
  const ordered = all.toSorted(
    (a, b) => depthOf(a.target) - depthOf(b.target) || a.rank - b.rank || (a.target < b.target ? -1 : 1),
  );
  return [
    ...ordered.map(({args}) => args),
    // Last: until here mount points were made inside them.
    ...[...hiddenDirectories, ...(isCwdMounted ? [] : [cwd])].map((path) => ['--remount-ro', path]),
  ];
}

function hide(path: string, kind: 'file' | 'directory'): readonly string[] {
  // Devices do not open on these mounts, so the file is neither read nor written.
  return kind === 'file' ? ['--ro-bind', '/dev/null', path] : emptyDirectory(path);
}

function emptyDirectory(path: string): readonly string[] {
  return ['--size', String(emptyBytes), '--perms', '0755', '--tmpfs', path];
}

function optional(path: string): readonly string[] {
  return ['--ro-bind-try', path, path];
}

function file(fd: number, target: string): readonly string[] {
  return ['--perms', '0644', '--file', String(fd), target];
}
