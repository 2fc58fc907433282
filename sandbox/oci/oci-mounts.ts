// The mounts of a container: those of the system, then those of the profile, as bubblewrap mounts them.
import {lstatSync} from 'node:fs';
import type {BindMount, SandboxProfile} from '@lumenflow/schemas';
import {depthOf, isWithin} from '../profile/host-paths.ts';

export interface OciMount {
  readonly destination: string;
  readonly type: string;
  readonly source: string;
  readonly options: readonly string[];
}

export interface OciMountsInput {
  readonly profile: SandboxProfile;
  readonly cwd: string;
  /** Files and directories of the host that every container reads at their own paths. */
  readonly systemPaths: readonly string[];
  /** Files of the container's own, by their paths inside. */
  readonly ownFiles: Readonly<Record<string, string>>;
  readonly hasOwnKernel: boolean;
  /** A directory with nothing but the mount points of what is mounted inside. */
  emptyDirectory(inner: readonly MountPoint[]): string;
  /** An empty file without permissions. */
  readonly hiddenFile: string;
}

export interface MountPoint {
  /** Relative to the directory. */
  readonly path: string;
  readonly source: string;
}

const tmpBytesDefault = 256 * 1024 * 1024;
const devBytes = 64 * 1024;
const shmBytes = 64 * 1024 * 1024;
/** The part of `/tmp` that the home directory gets. */
const homeShare = 0.25;

export function ociMounts(input: OciMountsInput): readonly OciMount[] {
  const {profile, systemPaths, ownFiles} = input;
  const tmpBytes = profile.limits.tmp_bytes ?? tmpBytesDefault;
  const homeBytes = Math.ceil(tmpBytes * homeShare);
  return [
    {destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'noexec', 'nodev']},
    // Read-only once the devices are in it; in gVisor, the devices would be, too.
    tmpfs('/dev', devBytes, 0o755, ['noexec', ...(input.hasOwnKernel ? [] : ['ro'])]),
    {
      destination: '/dev/pts',
      type: 'devpts',
      source: 'devpts',
      options: ['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620'],
    },
    tmpfs('/dev/shm', shmBytes, 0o1777, ['nodev', 'noexec']),
    ...systemPaths.map((path) => readOnly(path, path)),
    ...Object.entries(ownFiles).map(([path, source]) => readOnly(source, path)),
    tmpfs('/tmp', tmpBytes - homeBytes, 0o1777, ['nodev']),
    tmpfs('/tmp/home', homeBytes, 0o700, ['nodev']),
    ...profileMounts(input),
  ];
}

interface Ranked {
  readonly mount: OciMount;
  /** Among mounts on one target, the last one applies. */
  readonly rank: 0 | 1 | 2;
}

/** Parents before children; on the same target writable, then read-only, then hidden. */
function profileMounts(input: OciMountsInput): readonly OciMount[] {
  const {profile, cwd, hiddenFile, emptyDirectory, hasOwnKernel} = input;
  const {writable_bind_mounts: writable, readonly_bind_mounts: readable, deny_overlays} = profile;
  // gVisor refuses all that a program tries with a socket of the host, and cannot mount over it.
  const hidden = deny_overlays.filter(({path}) => !(hasOwnKernel && isSocket(path)));
  // Trials start in /tmp, which is there already.
  const isCwdMounted = cwd === '/tmp' || [...writable, ...readable].some(({target}) => isWithin(cwd, target));
  const files = hidden.filter(({kind}) => kind === 'file');
  const visible = [...writable, ...readable, ...files.map(({path}) => ({source: hiddenFile, target: path}))];
  // Read-only from the start: their mount points exist.
  const empty = (path: string): OciMount => readOnly(emptyDirectory(pointsWithin(path, visible)), path);
  const all: readonly Ranked[] = [
    ...(isCwdMounted ? [] : [{mount: empty(cwd), rank: 0 as const}]),
    ...writable.map(({source, target}) => ({mount: bind(source, target, 'rw'), rank: 0 as const})),
    ...readable.map(({source, target}) => ({mount: readOnly(source, target), rank: 1 as const})),
    ...hidden.map(({path, kind}) => ({
      mount: kind === 'file' ? readOnly(hiddenFile, path) : empty(path),
      rank: 2 as const,
    })),
  ];
  return all
    .toSorted(
      ({mount: a, rank: first}, {mount: b, rank: second}) =>
        depthOf(a.destination) - depthOf(b.destination) || first - second || (a.destination < b.destination ? -1 : 1),
    )
    .map(({mount}) => mount);
}

function isSocket(path: string): boolean {
  return lstatSync(path, {throwIfNoEntry: false})?.isSocket() === true;
}

function pointsWithin(directory: string, mounts: readonly BindMount[]): readonly MountPoint[] {
  return mounts.flatMap(({source, target}) =>
    target !== directory && isWithin(target, directory) ? [{path: target.slice(directory.length + 1), source}] : [],
  );
}

function readOnly(source: string, destination: string): OciMount {
  return bind(source, destination, 'ro');
}

function bind(source: string, destination: string, access: 'ro' | 'rw'): OciMount {
  return {destination, type: 'bind', source, options: ['rbind', access, 'nosuid', 'nodev']};
}

function tmpfs(destination: string, bytes: number, mode: number, options: readonly string[]): OciMount {
  return {
    destination,
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', ...options, `mode=${mode.toString(8)}`, `size=${bytes}`],
  };
}
