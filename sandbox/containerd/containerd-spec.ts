// From a profile to the configuration of a container of containerd: what any OCI runtime gets, and what only an engine can do.
import {join} from 'node:path';
import type {SandboxProfile} from '@lumenflow/schemas';
import {pipesInside} from '../engine/first-command.ts';
import {ociSpec, type OciSpec, type OciSpecInput} from '../oci/oci-spec.ts';
import type {ContainerdRuntime} from './containerd-runtimes.ts';

export interface ContainerdSpecInput extends Omit<OciSpecInput, 'mappedUser' | 'joinsNetwork' | 'hasOwnKernel'> {
  readonly runtime: ContainerdRuntime;
  readonly bundleFolder: string;
  /** Folder of the named pipes. */
  readonly pipes: string;
  /** Of this process. */
  readonly user: {readonly uid: number; readonly gid: number};
  /** Of a namespace; undefined: an empty one. */
  readonly networkPath: string | undefined;
  readonly cgroupsPath: string;
  /** For a trial: whether the container sees its own limits. */
  readonly showsGroup: boolean;
}

export type ContainerdSpec = Omit<OciSpec, 'linux'> & {
  readonly linux: Omit<OciSpec['linux'], 'namespaces'> & ContainerdLinux;
};

interface ContainerdLinux {
  readonly namespaces: readonly {
    readonly type: string;
    readonly path?: string;
  }[];
  readonly cgroupsPath: string;
  readonly resources: {
    readonly devices: readonly [{readonly allow: false; readonly access: 'rwm'}];
    readonly memory?: {readonly limit: number; readonly swap: number};
    readonly pids?: {readonly limit: number};
  };
}

const groupOptions = ['ro', 'nosuid', 'noexec', 'nodev'];

export function containerdSpec(input: ContainerdSpecInput): ContainerdSpec {
  const {runtime, bundleFolder, pipes, user, networkPath, cgroupsPath, showsGroup} = input;
  const {hasOwnKernel} = runtime;
  const joinsNetwork = networkPath !== undefined;
  // A guest has its own users: there, it is this user itself.
  const spec = ociSpec({...input, hasOwnKernel, joinsNetwork, mappedUser: hasOwnKernel ? undefined : user});
  const {linux} = spec;
  return {
    ...spec,
    process: hasOwnKernel ? {...spec.process, user} : spec.process,
    root: {path: join(bundleFolder, 'rootfs'), readonly: true},
    mounts: [
      ...spec.mounts,
      hasOwnKernel
        ? {
            destination: pipesInside,
            type: 'tmpfs',
            source: 'tmpfs',
            options: ['nosuid', 'nodev', 'noexec', 'mode=1777', 'size=64k'],
          }
        : {
            destination: pipesInside,
            type: 'bind',
            source: pipes,
            options: ['rbind', 'ro', 'nosuid', 'nodev'],
          },
      ...(showsGroup ? [{destination: '/sys/fs/cgroup', type: 'cgroup', source: 'cgroup', options: groupOptions}] : []),
    ],
    linux: {
      ...linux,
      namespaces: [...linux.namespaces, ...(joinsNetwork ? [{type: 'network', path: networkPath}] : [])],
      cgroupsPath,
      resources: resourcesOf(input),
    },
  };
}

/** What the control group of a container bounds. */
export function groupBytes({limits}: SandboxProfile, {overheadBytes}: ContainerdRuntime): number | undefined {
  return limits.memory_bytes === undefined ? undefined : limits.memory_bytes + overheadBytes;
}

/** Memory has no swap beside it. The runtime adds the devices that every container has. */
function resourcesOf({profile, runtime}: ContainerdSpecInput): ContainerdLinux['resources'] {
  const {processes} = profile.limits;
  const limit = groupBytes(profile, runtime);
  return {
    devices: [{allow: false, access: 'rwm'}],
    ...(limit !== undefined && {memory: {limit, swap: limit}}),
    ...(processes !== undefined && {pids: {limit: runtime.tasks(processes)}}),
  };
}
