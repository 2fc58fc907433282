// A backend that starts a container for each call through the API of a container engine.
import {realpathSync} from 'node:fs';
import type {RunnerProgram} from '../backends/runner-program.ts';
import {hasEnded} from '../backends/leftover-folders.ts';
import {rememberProbe} from '../backends/remember-probe.ts';
import type {SandboxBackend} from '../backends/sandbox-backend.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {failed, type Outcome} from '../outcome.ts';
import {reapContainerBundles} from '../oci/container-bundle.ts';
import type {HostFiles} from '../profile/host-files.ts';
import {isWithin} from '../profile/host-paths.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {EngineClient} from './engine-client.ts';
import {engines, type EngineBackendName} from './engines.ts';
import {findEngine} from './find-engine.ts';
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
}

export function createEngineBackend(name: EngineBackendName, options: EngineBackendOptions): SandboxBackend {
  const {runner, executor, files, image} = options;
  const engine = engines[name];
  const find = (): Outcome<EngineClient> => findEngine(name, options.socket);
  const look = rememberProbe(
    async (): Promise<Outcome<ReadyEngine>> => {
      const found = find();
      return found.ok ? await probeEngine({engine, client: found.value, runner, executor, image}) : found;
    },
    ({ok}) => ok,
  );
  return {
    name,
    capabilities: {
      spares: true,
      views: true,
      viewWay: 'copied',
      network: 'namespace',
      selfTest: true,
      sharesUsers: true,
      killsAtOnce: true,
      lacks: ['kernel'],
    },
    async probe() {
      const probe = await look();
      return probe.ok ? probe.value.report : {available: false, backend: name, problem: probe.problem};
    },
    async start(request) {
      const probe = await look();
      if (!probe.ok) return probe;
      const {host} = probe.value;
      return isWithin(realpathSync(host.client.socketPath), request.profile.workspaceRoot)
        ? failed(inWorkspace(name, host.client.socketPath))
        : await startInEngine(request, {host, files});
    },
    async openHome() {
      const probe = await look();
      return probe.ok ? await openNetworkHome(probe.value.host) : probe;
    },
    async reap() {
      const found = find();
      if (found.ok) await reapContainers(found.value);
      await reapContainerBundles(name, async () => undefined);
    },
    close: async () => undefined,
  };
}

/** Those of hosts that have ended, and no others. */
async function reapContainers(client: EngineClient): Promise<void> {
  const filters = encodeURIComponent(JSON.stringify({label: [ownerLabel]}));
  const answer = await client.list<ListedContainer>(`/containers/json?all=1&filters=${filters}`);
  // An engine that does not answer has no containers to remove.
  const listed = answer.ok ? answer.value : [];
  const left = listed.filter(({Labels}) => hasEnded(Labels[ownerLabel] ?? ''));
  await Promise.all(
    left.map(async ({Id}) => await client.send({method: 'DELETE', path: `/containers/${Id}?force=1&v=1`})),
  );
}

interface ListedContainer {
  readonly Id: string;
  readonly Labels: Readonly<Record<string, string>>;
}

/** A call could put another socket in its path, and would then choose its own sandbox. */
function inWorkspace(name: EngineBackendName, path: string): SandboxProblem {
  return {
    message: `\`${path}\` is inside the workspace, where a call could replace it`,
    help: `set \`security.sandbox.backends.${name}.socket\` to a path outside the workspace`,
  };
}
