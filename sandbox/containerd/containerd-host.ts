// A containerd that answers, with the runtime that a backend uses and what its containers are made of.
import type {CommandExecutor} from '../commands/command-executor.ts';
import type {InstalledEngine} from '../engine/find-socket.ts';
import {lookAtContainerParts, type ContainerParts} from '../oci/oci-host.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {Architecture} from '../seccomp/system-call-table.ts';
import type {ContainerdApi} from './containerd-api.ts';
import {containerdRuntimes, type ContainerdBackendName, type ContainerdRuntime} from './containerd-runtimes.ts';
import type {ContainerdRuntimeName} from './containerd-runtimes.ts';

export interface ContainerdHost extends ContainerParts {
  readonly backend: ContainerdBackendName;
  readonly runtime: ContainerdRuntime;
  readonly api: ContainerdApi;
  readonly executor: CommandExecutor;
  readonly version: string;
}

export const installedContainerd: Omit<InstalledEngine, 'backend'> = {
  program: 'containerd',
  install: 'apt-get install containerd',
  start: 'systemctl start containerd',
  sockets: () => ['/run/containerd/containerd.sock'],
};

export interface ContainerdLook extends Pick<ContainerdHost, 'backend' | 'api' | 'executor'> {
  readonly runtimeName: ContainerdRuntimeName;
  readonly architecture: Architecture;
}

export async function lookAtContainerd(look: ContainerdLook): Promise<Outcome<ContainerdHost>> {
  const {backend, api, executor, runtimeName, architecture} = look;
  const version = await api.version();
  if (!version.ok) {
    return failed({
      message: `containerd does not answer at \`${api.socketPath}\` (\`${version.problem.message}\`)`,
      help: `start it, or set \`security.sandbox.backends.${backend}.socket\``,
    });
  }
  const runtime = containerdRuntimes[runtimeName];
  return ok({
    ...lookAtContainerParts(runtime, architecture),
    backend,
    api,
    executor,
    runtime,
    version: `${version.value} with ${runtimeName}`,
  });
}
