// From a profile to the request that creates its container: pure, so that each part can be read in a test.
import type {SandboxProfile} from '@lumenflow/schemas';
import {pauseWhenKilled} from '../linux/pause-when-killed.ts';
import {ociMounts, type OciMountsInput} from '../oci/oci-mounts.ts';
import {protectedContainer, type ProtectedContainer, type ProtectedInput} from './protected-container.ts';
import {pipeNames} from './wire-pipes.ts';

export interface ContainerRequestInput extends Omit<ProtectedInput, 'filter'>, Omit<OciMountsInput, 'hasOwnKernel'> {
  readonly profile: SandboxProfile;
  /** In the command line of the container's first process, by which the host recognizes it. */
  readonly mark: string;
  readonly argv: readonly string[];
  /** Folder of the named pipes. */
  readonly pipes: string;
  readonly withWire: boolean;
  /** See `ProtectedInput`. */
  readonly filter: string;
}

interface EngineMount {
  readonly Type: 'bind';
  readonly Source: string;
  readonly Target: string;
  readonly ReadOnly: boolean;
  readonly BindOptions: {readonly Propagation: 'rprivate'};
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

const pipesInside = '/run/lumenflow';
/** Of the runtime, until it has become the first process inside. */
const runtimeProcesses = 24;
/** What engines add to the environment. */
const addedNames: readonly string[] = ['PWD', 'OLDPWD', 'HOSTNAME', 'HOME', 'TERM', 'container', 'PATH'];

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
    ...pauseWhenKilled,
  ].join('\n');
}

export function containerRequest(input: ContainerRequestInput): ContainerRequest {
  const {profile, mark, argv, withWire, filter} = input;
  const {memory_bytes: memory, processes} = profile.limits;
  const unwanted = addedNames.filter((name) => profile.env[name] === undefined);
  const always = protectedContainer({...input, filter: profile.syscalls === 'none' ? 'unconfined' : filter});
  return {
    ...always,
    Entrypoint: ['/bin/sh', '-c', firstProcess(withWire), mark],
    Cmd: [unwanted.join(' '), ...argv],
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
