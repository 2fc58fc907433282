// From a profile to the request that creates its container: pure, so that each part can be read in a test.
import {relative} from 'node:path/posix';
import type {SandboxProfile} from '@lumenflow/schemas';
import {ociMounts, type OciMountsInput} from '../oci/oci-mounts.ts';
import {isWithin} from '../profile/host-paths.ts';
import {protectedContainer, type ProtectedContainer, type ProtectedInput} from './protected-container.ts';
import {firstCommand, pipesInside} from './first-command.ts';

export interface ContainerRequestInput extends Omit<ProtectedInput, 'filter'>, Omit<OciMountsInput, 'hasOwnKernel'> {
  readonly profile: SandboxProfile;
  /** In the command line of the container's first process, by which the host recognizes it. */
  readonly mark: string;
  readonly argv: readonly string[];
  /** Folder of the named pipes. */
  readonly pipes: string;
  readonly withWire: boolean;
  /** See `EngineHost`. */
  readonly volumes: readonly string[];
  /** See `ProtectedInput`. */
  readonly filter: string;
}

interface EngineMount {
  readonly Type: 'bind' | 'devpts';
  /** Of a bind. */
  readonly Source?: string;
  readonly Target: string;
  readonly ReadOnly?: boolean;
  readonly BindOptions?: {readonly Propagation: 'rprivate'};
}

export interface ContainerRequest extends ProtectedContainer {
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Env: readonly string[];
  readonly WorkingDir: string;
  readonly HostConfig: ProtectedContainer['HostConfig'] & {
    readonly Mounts: readonly EngineMount[];
    readonly Tmpfs: Readonly<Record<string, string>>;
  };
}

/** Of the runtime, until it has become the first process inside. */
const runtimeProcesses = 24;
/** What engines add to the environment. */
const addedNames: readonly string[] = ['PWD', 'OLDPWD', 'HOSTNAME', 'HOME', 'TERM', 'container', 'PATH'];

// Podman's mount of terminals has no option for their permissions.
const openTerminals = 'chmod 666 /dev/pts/ptmx';

export function containerRequest(input: ContainerRequestInput): ContainerRequest {
  const {profile, mark, argv, withWire, filter} = input;
  const {memory_bytes: memory, processes} = profile.limits;
  const unwanted = addedNames.filter((name) => profile.env[name] === undefined);
  const command = firstCommand({mark, unwanted, argv, withWire, before: input.masksByOption ? [openTerminals] : []});
  const always = protectedContainer({...input, filter: profile.syscalls === 'none' ? 'unconfined' : filter});
  return {
    ...always,
    Entrypoint: command.slice(0, -argv.length - 1),
    Cmd: command.slice(-argv.length - 1),
    Env: Object.entries(profile.env).map(([name, value]) => `${name}=${value ?? ''}`),
    WorkingDir: input.cwd,
    HostConfig: {
      ...always.HostConfig,
      ...mountsOf(input),
      ...(memory !== undefined && {Memory: memory, MemorySwap: memory}),
      ...(processes !== undefined && {PidsLimit: processes + runtimeProcesses}),
    },
  };
}

function mountsOf(input: ContainerRequestInput): Pick<ContainerRequest['HostConfig'], 'Mounts' | 'Tmpfs'> {
  const wanted = ociMounts({...input, hasOwnKernel: false});
  // An engine takes one mount for each path: as for a runtime, the last one applies.
  const last = new Map(wanted.map((mount) => [mount.destination, mount]));
  const all = [...last.values()];
  const binds = [
    bind(input.pipes, pipesInside, true),
    ...all
      .filter(({type}) => type === 'bind')
      .map(({source, destination, options}) => bind(source, destination, options.includes('ro'))),
  ];
  const memory = all.filter(({type, destination}) => type === 'tmpfs' && !isWithin(destination, '/dev'));
  const {Mounts, Tmpfs} = input.masksByOption ? ownFolders : {Mounts: [], Tmpfs: {}};
  return {
    Mounts: [...Mounts, ...closedVolumes(input, last, binds), ...binds],
    // There is one user inside. A program that a tool downloads does not run from there.
    Tmpfs: {
      ...Tmpfs,
      ...Object.fromEntries(
        memory.map(({destination, options}) => {
          const size = options.find((option) => option.startsWith('size='));
          return [destination, `rw,nosuid,nodev,noexec,mode=1777,${size ?? ''}`];
        }),
      ),
    },
  };
}

/** In place of each volume of the image, a directory with nothing but the mount points of what is mounted inside. */
function closedVolumes(
  {volumes, emptyDirectory}: Pick<ContainerRequestInput, 'volumes' | 'emptyDirectory'>,
  mounts: ReadonlyMap<string, unknown>,
  binds: readonly EngineMount[],
): readonly EngineMount[] {
  const left = volumes.filter((path) => !mounts.has(path));
  return left.map((volume) => {
    const inner = binds.flatMap(({Source = '', Target}) =>
      isWithin(Target, volume) ? [{path: relative(volume, Target), source: Source}] : [],
    );
    return bind(emptyDirectory(inner), volume, true);
  });
}

const closed = 'ro,nosuid,nodev,noexec,mode=755,size=64k';
/**
 * Podman has no list of read-only paths, so it is given a `/dev` that is read-only, and what belongs beneath. Its own `/run` and
 * `/var/tmp` are writable and have no bound.
 */
const ownFolders = {
  Mounts: [{Type: 'devpts', Target: '/dev/pts'}],
  Tmpfs: {
    '/dev': 'ro,nosuid,dev,noexec,mode=755,size=64k',
    '/dev/shm': 'rw,nosuid,nodev,noexec,mode=1777,size=64m',
    '/run': closed,
    '/var/tmp': closed,
  },
} as const;

function bind(source: string, target: string, isReadOnly: boolean): EngineMount {
  return {Type: 'bind', Source: source, Target: target, ReadOnly: isReadOnly, BindOptions: {Propagation: 'rprivate'}};
}
