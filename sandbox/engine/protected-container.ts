// The part of a request that protects, for every container.
import {hardLimits, type HardLimits} from '../commands/hard-limits.ts';

export interface ProtectedInput {
  /** Id of the image. */
  readonly image: string;
  readonly user: {readonly uid: number; readonly gid: number};
  /** The process that this container belongs to, for the reaper. */
  readonly owner: string;
  /** Of another container, whose network this one uses; undefined: it has none. */
  readonly networkOf: string | undefined;
  /** The filter of system calls, in the form that the engine reads; undefined: that of the engine. */
  readonly filter: string | undefined;
  readonly kernelPaths: readonly string[];
  readonly maskedPaths: readonly string[];
  readonly masksByOption: boolean;
}

export interface ProtectedContainer {
  readonly Image: string;
  readonly User: string;
  readonly Hostname?: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly HostConfig: {
    readonly SecurityOpt: readonly string[];
    readonly Ulimits: readonly {readonly Name: string; readonly Soft: number; readonly Hard: number}[];
    readonly [name: string]: unknown;
  };
}

export const ownerLabel = 'dev.lumenflow.host';
/** Podman lowers its own limit to this, and cannot start a container with a higher one. */
const engineProcesses = 32_768;
/** Kernel information that the engines hide by default. */
const usuallyMasked: readonly string[] = ['/proc/scsi', '/sys/firmware', '/sys/devices/virtual/powercap'];

export function protectedContainer(input: ProtectedInput): ProtectedContainer {
  const {image, user, owner, networkOf, filter, kernelPaths, maskedPaths, masksByOption} = input;
  const masked = [...maskedPaths, ...usuallyMasked];
  return {
    Image: image,
    User: `${user.uid}:${user.gid}`,
    // The network of another container includes its name.
    ...(networkOf === undefined && {Hostname: 'sandbox'}),
    Labels: {[ownerLabel]: owner},
    HostConfig: {
      NetworkMode: networkOf === undefined ? 'none' : `container:${networkOf}`,
      IpcMode: 'private',
      CgroupnsMode: 'private',
      ReadonlyRootfs: true,
      Privileged: false,
      CapDrop: ['ALL'],
      SecurityOpt: [
        'no-new-privileges',
        ...(filter === undefined ? [] : [`seccomp=${filter}`]),
        // Podman ignores the list that Docker reads, and Docker rejects this option.
        ...(masksByOption ? [`mask=${masked.join(':')}`] : []),
      ],
      MaskedPaths: masked,
      // An engine's `/dev` belongs to root and has room for any number of files. Devices, terminals and /dev/shm work beneath.
      ReadonlyPaths: [...kernelPaths, '/dev'],
      Ulimits: ulimits(),
      // What a tool prints is in its receipt.
      LogConfig: {Type: 'none'},
      RestartPolicy: {Name: 'no'},
    },
  };
}

/** An engine's default may exceed what the host itself may use, and the container would not start. */
function ulimits(): ProtectedContainer['HostConfig']['Ulimits'] {
  const {nofile, nproc = engineProcesses}: HardLimits = hardLimits();
  const all = {nofile, nproc: Math.min(nproc, engineProcesses), core: 0};
  return Object.entries(all).flatMap(([Name, bound]) =>
    bound === undefined ? [] : [{Name, Soft: bound, Hard: bound}],
  );
}
