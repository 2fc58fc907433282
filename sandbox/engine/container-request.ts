// From a profile to the request that creates its container: pure, so that each part can be read in a test.
import type {SandboxProfile} from '@lumenflow/schemas';
import {hardLimits, type HardLimits} from '../commands/hard-limits.ts';
import {ociMounts, type OciMountsInput} from '../oci/oci-mounts.ts';
import {pipeNames} from './wire-pipes.ts';

export interface ContainerRequestInput extends Omit<OciMountsInput, 'systemPaths' | 'hasOwnKernel'> {
  readonly profile: SandboxProfile;
  /** Id of the image. */
  readonly image: string;
  /** In the command line of the container's first process, by which the host recognizes it. */
  readonly mark: string;
  /** The process that this container belongs to, for the reaper. */
  readonly owner: string;
  readonly argv: readonly string[];
  readonly user: {readonly uid: number; readonly gid: number};
  /** Folder of the named pipes. */
  readonly pipes: string;
  readonly withWire: boolean;
  /** The filter of system calls, in the form that the engine reads. */
  readonly filter: string;
  readonly kernelPaths: readonly string[];
  readonly maskedPaths: readonly string[];
  readonly masksByOption: boolean;
  /** Of another container, whose network this one uses; undefined: it has none. */
  readonly networkOf: string | undefined;
}

interface EngineMount {
  readonly Type: 'bind';
  readonly Source: string;
  readonly Target: string;
  readonly ReadOnly: boolean;
  readonly BindOptions: {readonly Propagation: 'rprivate'};
}

export interface ContainerRequest {
  readonly Image: string;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Env: readonly string[];
  readonly User: string;
  readonly WorkingDir: string;
  readonly Hostname?: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly HostConfig: {
    readonly Mounts: readonly EngineMount[];
    readonly Tmpfs: Readonly<Record<string, string>>;
    readonly SecurityOpt: readonly string[];
    readonly Ulimits: readonly {readonly Name: string; readonly Soft: number; readonly Hard: number}[];
    readonly Memory?: number;
    readonly [name: string]: unknown;
  };
}

export const ownerLabel = 'dev.lumenflow.host';
const pipesInside = '/run/lumenflow';
/** Of the runtime, until it has become the first process inside. */
const runtimeProcesses = 24;
/** Podman lowers its own limit to this, and cannot start a container with a higher one. */
const engineProcesses = 32_768;
/** What engines add to the environment. */
const addedNames: readonly string[] = ['PWD', 'OLDPWD', 'HOSTNAME', 'HOME', 'TERM', 'container', 'PATH'];
/** Kernel information that the engines hide by default. */
const usuallyMasked: readonly string[] = ['/proc/scsi', '/sys/firmware', '/sys/devices/virtual/powercap'];

/**
 * The first process inside reaps orphans, and is not killed by signals that it has no handler for. Its own messages are dropped.
 * $0 is the mark, $1 the names to remove from the environment.
 */
function firstProcess(withWire: boolean): string {
  const {stdout, stderr, fromHost, toHost} = pipeNames;
  const wire = withWire ? ` 3<${pipesInside}/${fromHost} 4>${pipesInside}/${toHost}` : '';
  return [
    'unset $1',
    'shift',
    `exec >${pipesInside}/${stdout} 5>${pipesInside}/${stderr} 2>/dev/null`,
    `"$@" 2>&5 5>&-${wire}`,
    'exit $?',
  ].join('\n');
}

export function containerRequest(input: ContainerRequestInput): ContainerRequest {
  const {profile, image, mark, owner, argv, user, networkOf, filter, withWire} = input;
  const {memory_bytes: memory, processes} = profile.limits;
  const masked = [...input.maskedPaths, ...usuallyMasked];
  const unwanted = addedNames.filter((name) => profile.env[name] === undefined);
  return {
    Image: image,
    Entrypoint: ['/bin/sh', '-c', firstProcess(withWire), mark],
    Cmd: [unwanted.join(' '), ...argv],
    Env: Object.entries(profile.env).map(([name, value]) => `${name}=${value ?? ''}`),
    User: `${user.uid}:${user.gid}`,
    WorkingDir: input.cwd,
    // A network of another container comes with its name.
    ...(networkOf === undefined && {Hostname: 'sandbox'}),
    Labels: {[ownerLabel]: owner},
    HostConfig: {
      ...mountsOf(input),
      NetworkMode: networkOf === undefined ? 'none' : `container:${networkOf}`,
      IpcMode: 'private',
      CgroupnsMode: 'private',
      ReadonlyRootfs: true,
      Privileged: false,
      CapDrop: ['ALL'],
      SecurityOpt: [
        'no-new-privileges',
        ...(profile.syscalls === 'none' ? [] : [`seccomp=${filter}`]),
        // Podman ignores the list that Docker reads, and Docker rejects this option.
        ...(input.masksByOption ? [`mask=${masked.join(':')}`] : []),
      ],
      MaskedPaths: masked,
      ReadonlyPaths: input.kernelPaths,
      Ulimits: ulimits(),
      // What a tool prints is in its receipt.
      LogConfig: {Type: 'none'},
      RestartPolicy: {Name: 'no'},
      ...(memory !== undefined && {Memory: memory, MemorySwap: memory}),
      ...(processes !== undefined && {PidsLimit: processes + runtimeProcesses}),
    },
  };
}

function mountsOf(input: ContainerRequestInput): Pick<ContainerRequest['HostConfig'], 'Mounts' | 'Tmpfs'> {
  const wanted = ociMounts({...input, systemPaths: [], hasOwnKernel: false});
  // An engine takes one mount for each path: as for a runtime, the last one applies.
  const last = new Map(wanted.map((mount) => [mount.destination, mount]));
  const all = [...last.values()];
  const binds = all
    .filter(({type}) => type === 'bind')
    .map(({source, destination, options}) => bind(source, destination, options.includes('ro')));
  const memory = all.filter(({type, destination}) => type === 'tmpfs' && !destination.startsWith('/dev'));
  return {
    Mounts: [bind(input.pipes, pipesInside, true), ...binds],
    // There is one user inside. A program that a tool downloads does not run from there.
    Tmpfs: Object.fromEntries(
      memory.map(({destination, options}) => {
        const size = options.find((option) => option.startsWith('size='));
        return [destination, `rw,nosuid,nodev,noexec,mode=1777,${size ?? ''}`];
      }),
    ),
  };
}

function bind(source: string, target: string, isReadOnly: boolean): EngineMount {
  return {Type: 'bind', Source: source, Target: target, ReadOnly: isReadOnly, BindOptions: {Propagation: 'rprivate'}};
}

/** An engine's default may exceed what the host itself may use, and the container would not start. */
function ulimits(): ContainerRequest['HostConfig']['Ulimits'] {
  const {nofile, nproc = engineProcesses}: HardLimits = hardLimits();
  const all = {nofile, nproc: Math.min(nproc, engineProcesses), core: 0};
  return Object.entries(all).flatMap(([Name, bound]) =>
    bound === undefined ? [] : [{Name, Soft: bound, Hard: bound}],
  );
}
