// A backend that starts a container for each call through the API of a container engine.
import type {RunnerProgram} from '../backends/runner-program.ts';
import {hasEnded} from '../process-name.ts';
import {probedBackend, trialKeyOf} from '../backends/probed-backend.ts';
import type {Capabilities, SandboxBackend} from '../backends/sandbox-backend.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {ok, type Outcome} from '../outcome.ts';
import {reapContainerBundles} from '../oci/container-bundle.ts';
import type {HostFiles} from '../profile/host-files.ts';
import {createEngineClient, type EngineClient} from './engine-client.ts';
import type {EngineHost} from './engine-host.ts';
import {engines, type EngineBackendName} from './engines.ts';
import {findSocket} from './find-socket.ts';
import {launchEngineContainer} from './launch-engine-container.ts';
import {openNetworkHome} from './open-network-home.ts';
import {probeEngine, type ReadyEngine} from './probe-engine.ts';
import {ownerLabel} from './protected-container.ts';
import {startInEngine} from './start-in-engine.ts';

export interface EngineBackendOptions {
  readonly runner: Pick<RunnerProgram, 'nodePath' | 'runtimePaths'>;
  readonly executor: CommandExecutor;
  readonly files: HostFiles;
  /** Absolute path of the engine's socket; default: the first that exists. */
  readonly socket?: string | undefined;
  /** Id of an image with a shell and Node at the host's path; default: one that is built here. */
  readonly image?: string | undefined;
  /** Whether the engine is given that image if it lacks it; default true. */
  readonly loadsImages?: boolean;
}

const capabilities: Capabilities = {
  spares: true,
  views: true,
  viewWay: 'copied',
  network: 'namespace',
  selfTest: true,
  sharesUsers: true,
  killsAtOnce: true,
  lacks: ['kernel'],
};

export function createEngineBackend(name: EngineBackendName, options: EngineBackendOptions): SandboxBackend {
  const {runner, executor, files, image, loadsImages = true} = options;
  const engine = engines[name];
  const find = (): Outcome<EngineClient> => {
    const socket = findSocket(engine, options.socket);
    return socket.ok ? ok(createEngineClient(socket.value)) : socket;
  };
  const {probe, start, ready, whenReady} = probedBackend({
    name,
    async look(): Promise<Outcome<ReadyEngine>> {
      const found = find();
      return found.ok
        ? await probeEngine({
            engine,
            client: found.value,
            runner,
            executor,
            image,
            loadsImages,
          })
        : found;
    },
    startedBy: {option: 'socket', paths: ({host}) => [host.client.socketPath]},
    isCurrent: ({host}) => hasImage(host),
    start: (request, {host}) =>
      startInEngine(request, {
        backend: name,
        files,
        degraded: [usersText],
        launch: (inside) =>
          launchEngineContainer({
            host,
            ...inside,
            network: request.network?.kind === 'namespace' ? request.network.home?.name : undefined,
          }),
      }),
  });
  return {
    name,
    capabilities,
    probe,
    start,
    trialKey: async () => await trialKeyOf(ready),
    openHome: () => whenReady(({host}) => openNetworkHome(host)),
    async reap() {
      const found = find();
      if (found.ok) await reapContainers(found.value);
      await reapContainerBundles(name, async () => undefined);
    },
    close: async () => undefined,
  };
}

const usersText = 'users: the container shares the user namespace of its engine; its user has no capabilities';

/** Someone may have removed it since the probe. */
async function hasImage({client, image}: EngineHost): Promise<boolean> {
  const answer = await client.send({method: 'GET', path: `/images/${image}/json`});
  return answer.ok || answer.problem.status !== 404;
}

/** Those of hosts that have ended, and no others. */
async function reapContainers(client: EngineClient): Promise<void> {
  const filters = encodeURIComponent(JSON.stringify({label: [ownerLabel]}));
  const answer = await client.list<ListedContainer>(`/containers/json?all=1&filters=${filters}`);
  // An engine that does not answer has no containers to remove.
  const listed = answer.ok ? answer.value : [];
  const left = listed.filter(({Id, Labels}) => {
    const owner: unknown = Labels?.[ownerLabel];
    return typeof Id === 'string' && hasEnded(typeof owner === 'string' ? owner : '');
  });
  await Promise.all(
    left.map(async ({Id}) => await client.send({method: 'DELETE', path: `/containers/${Id}?force=1&v=1`})),
  );
}

interface ListedContainer {
  readonly Id: string;
  readonly Labels: Readonly<Record<string, unknown>> | null;
}
