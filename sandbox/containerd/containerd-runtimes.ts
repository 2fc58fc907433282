// The runtimes that containerd starts containers with, and how they differ.
import {ociRuntimes, type OciRuntime} from '../oci/oci-runtime.ts';

export type ContainerdBackendName = 'containerd' | 'kata';
export type ContainerdRuntimeName = 'runc' | 'crun' | 'gvisor' | 'kata';

export interface ContainerdRuntime extends Pick<OciRuntime, 'hasOwnKernel' | 'overheadBytes' | 'tasks' | 'filter'> {
  /** The name by which containerd finds its shim, the program that it starts for each container. */
  readonly type: string;
  /** The program that the shim of runc starts; undefined: its usual one. */
  readonly binary?: string;
  /** What is installed in addition to containerd. */
  readonly program: string;
  readonly install: string;
  /** Whether the containers use a network namespace that they are given. */
  readonly joinsNetwork: boolean;
}

export const containerdBackends: readonly ContainerdBackendName[] = ['containerd', 'kata'];

const runcShim = 'io.containerd.runc.v2';

export const containerdRuntimes: Readonly<Record<ContainerdRuntimeName, ContainerdRuntime>> = {
  runc: {...ociRuntimes.runc, type: runcShim, joinsNetwork: true},
  crun: {...ociRuntimes.crun, type: runcShim, binary: 'crun', joinsNetwork: true},
  gvisor: {
    ...ociRuntimes.gvisor,
    type: 'io.containerd.runsc.v1',
    program: 'containerd-shim-runsc-v1',
    install: 'see https://gvisor.dev/docs/user_guide/containerd/quick_start/',
    // Its own network stack has no loopback in common with the broker's.
    joinsNetwork: false,
  },
  kata: {
    type: 'io.containerd.kata.v2',
    program: 'containerd-shim-kata-v2',
    install: 'see https://katacontainers.io/docs/',
    hasOwnKernel: true,
    overheadBytes: 0,
    tasks: (processes) => processes,
    filter: 'names',
    joinsNetwork: false,
  },
};
