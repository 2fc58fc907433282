// The container engines that are used through the Docker Engine API, and how they differ.
import {join} from 'node:path';
import type {InstalledEngine} from './find-socket.ts';

export type EngineBackendName = 'docker' | 'podman';

export interface Engine extends InstalledEngine {
  readonly backend: EngineBackendName;
  /** Whether it reads the filter of system calls from a file, instead of the request. */
  readonly readsFilter: boolean;
  /** Whether what it hides of the kernel is an option of security: it ignores the lists of hidden and read-only paths. */
  readonly masksByOption: boolean;
  /** See `unmountablePath`. */
  readonly joinsMounts: boolean;
  /** Of the request that waits until a container has ended. `interval`: between looks of an engine that looks again and again. */
  waitPath(name: string, interval: string): string;
}

export const engines: Readonly<Record<EngineBackendName, Engine>> = {
  docker: {
    backend: 'docker',
    program: 'dockerd',
    install: 'apt-get install docker.io',
    start: 'systemctl start docker',
    readsFilter: false,
    masksByOption: false,
    joinsMounts: false,
    waitPath: (name) => `/containers/${name}/wait?condition=not-running`,
    sockets: (uid) => [...(uid === 0 ? [] : [join(runtimeFolder(uid), 'docker.sock')]), '/run/docker.sock'],
  },
  podman: {
    backend: 'podman',
    program: 'podman',
    install: 'apt-get install podman',
    start: 'podman system service --time=0',
    readsFilter: true,
    masksByOption: true,
    joinsMounts: true,
    // In Docker's form of the request, it looks without a pause.
    waitPath: (name, interval) =>
      `/v4.0.0/libpod/containers/${name}/wait?condition=stopped&condition=exited&interval=${interval}`,
    sockets: (uid) => [join(uid === 0 ? '/run' : runtimeFolder(uid), 'podman', 'podman.sock')],
  },
};

export const engineBackends: readonly EngineBackendName[] = Object.keys(engines) as EngineBackendName[];

/** Of a user who has logged in. */
function runtimeFolder(uid: number): string {
  return `/run/user/${uid}`;
}
