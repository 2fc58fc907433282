// A backend that starts a container for each call through containerd, with one of its runtimes.
import {hasEnded} from '../process-name.ts';
import type {AvailableReport} from '../backends/probe-report.ts';
import {probedBackend, trialKeyOf} from '../backends/probed-backend.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {Capabilities, SandboxBackend, StartRequest} from '../backends/sandbox-backend.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {findSocket} from '../engine/find-socket.ts';
import {ownerLabel} from '../engine/protected-container.ts';
import {startInEngine} from '../engine/start-in-engine.ts';
import {reapContainerBundles} from '../oci/container-bundle.ts';
import {ok, type Outcome} from '../outcome.ts';
import type {HostFiles} from '../profile/host-files.ts';
import {createContainerdApi, type ContainerdApi} from './containerd-api.ts';
import {createContainerdClient} from './containerd-client.ts';
import {removeContainer} from './containerd-container.ts';
import {installedContainerd} from './containerd-host.ts';
import {
  containerdRuntimes,
  type ContainerdBackendName,
  type ContainerdRuntime,
  type ContainerdRuntimeName,
} from './containerd-runtimes.ts';
import {launchInContainerd} from './launch-in-containerd.ts';
import {probeContainerd} from './probe-containerd.ts';

export interface ContainerdBackendOptions {
  readonly runner: Pick<RunnerProgram, 'nodePath' | 'runtimePaths'>;
  readonly executor: CommandExecutor;
  readonly files: HostFiles;
  /** Of containerd; default: that of the machine. */
  readonly socket?: string | undefined;
  readonly runtime: ContainerdRuntimeName;
}

export function createContainerdBackend(
  name: ContainerdBackendName,
  {runner, executor, files, socket, runtime: runtimeName}: ContainerdBackendOptions,
): SandboxBackend {
  const runtime = containerdRuntimes[runtimeName];
  const find = (): Outcome<ContainerdApi> => {
    const found = findSocket({...installedContainerd, backend: name}, socket);
    return found.ok ? ok(createContainerdApi(createContainerdClient(found.value))) : found;
  };
  const {probe, start, ready} = probedBackend({
    name,
    async look() {
      const api = find();
      return api.ok
        ? await probeContainerd({
            backend: name,
            api: api.value,
            executor,
            runner,
            runtimeName,
          })
        : api;
    },
    // No distribution has the shims of these runtimes.
    testedWithStandIn: runtime.hasOwnKernel,
    startedBy: {option: 'socket', paths: ({host}) => [host.api.socketPath]},
    start: (request, {host, report}) =>
      startInEngine(request, {
        backend: name,
        files,
        degraded: unlimited(request, report),
        launch: (inside) =>
          launchInContainerd({
            host,
            ...inside,
            networkPath: request.network?.kind === 'namespace' ? request.network.path : undefined,
          }),
      }),
  });
  return {
    name,
    capabilities: capabilitiesOf(runtime),
    probe,
    start,
    trialKey: async () => await trialKeyOf(ready),
    async reap() {
      const api = find();
      if (api.ok) await reapContainers(api.value);
      await reapContainerBundles(name, async () => undefined);
    },
    close: async () => undefined,
  };
}

function unlimited({profile}: StartRequest, {guarantees}: AvailableReport): readonly string[] {
  const {memory_bytes, processes} = profile.profile.limits;
  return [
    ...(memory_bytes !== undefined && guarantees.memory !== 'enforced' ? [`memory_bytes: ${guarantees.memory}`] : []),
    ...(processes !== undefined && guarantees.process_count !== 'enforced'
      ? [`processes: ${guarantees.process_count}`]
      : []),
  ];
}

function capabilitiesOf({hasOwnKernel, joinsNetwork}: ContainerdRuntime): Capabilities {
  return {
    spares: true,
    views: true,
    viewWay: 'copied',
    network: joinsNetwork ? 'namespace' : undefined,
    selfTest: true,
    killsAtOnce: true,
    // The wire goes through a second process, and the shim copies each stream separately.
    printsLate: hasOwnKernel,
    lacks: [
      ...(hasOwnKernel ? [] : (['kernel'] as const)),
      ...(joinsNetwork ? [] : (['network_allowlist', 'network_full'] as const)),
    ],
  };
}

/** Those of hosts that have ended, and no others. */
async function reapContainers(api: ContainerdApi): Promise<void> {
  const listed = await api.listContainers(ownerLabel);
  // A containerd that does not answer has no containers to remove.
  const left = listed.ok ? listed.value.filter(({label}) => hasEnded(label)) : [];
  await Promise.all(left.map(async ({id}) => await removeContainer(api, id)));
}
