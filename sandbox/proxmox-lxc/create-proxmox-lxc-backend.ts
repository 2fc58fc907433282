// A backend that runs each call in a container of Proxmox VE, by a worker in it. The API of Proxmox VE cannot run a program in a
// container.
import {isIPv6} from 'node:net';
import type {ProxmoxLxcOptions, RemoteWorker} from '@lumenflow/schemas';
import type {AvailableReport} from '../backends/probe-report.ts';
import {probedBackend} from '../backends/probed-backend.ts';
import type {Capabilities, SandboxBackend} from '../backends/sandbox-backend.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {createContainerApi, type ContainerApi} from './container-api.ts';
import {createContainerLife, type ContainerLife} from './container-life.ts';
import {containerLimits} from './container-limits.ts';
import {newContainerName} from './container-name.ts';
import {createContainerPool, type ContainerPool} from './container-pool.ts';
import {explainLife} from './explain-life.ts';
import {realPacing} from './pacing.ts';
import {createProxmoxApi} from './proxmox-api.ts';
import {reapContainers} from './reap-containers.ts';
import {startInContainer, type ContainerWorker} from './start-in-container.ts';

export interface ProxmoxLxcBackendOptions {
  /** Undefined: none are configured. */
  readonly options: ProxmoxLxcOptions | undefined;
  /** The value of a variable of the host's environment. */
  secret(variable: string): string | undefined;
  connect(worker: RemoteWorker): ContainerWorker;
}

interface ReadyProxmox {
  readonly pool: ContainerPool<ContainerWorker>;
  readonly api: ContainerApi;
  readonly report: AvailableReport;
}

const name = 'proxmox-lxc';
const workerPort = 7070;
/** At a start of the host, which does not wait for a server that is off. */
const reapMs = 5000;

const capabilities: Capabilities = {
  // A container is kept for any call, and not for one handler.
  spares: false,
  views: true,
  writesDirectly: false,
  network: undefined,
  selfTest: false,
  killsAtOnce: true,
  lacks: ['kernel'],
};

export function createProxmoxLxcBackend({options, secret, connect}: ProxmoxLxcBackendOptions): SandboxBackend {
  let pool: ContainerPool<ContainerWorker> | undefined;
  const {probe, start} = probedBackend<ReadyProxmox>({
    name,
    testedWithStandIn: true,
    async look(): Promise<Outcome<ReadyProxmox>> {
      const found = open();
      if (!found.ok) return found;
      const {api, life, given} = found.value;
      const version = await api.version();
      if (!version.ok) return failed(notAnswering(given.url, version.problem.message));
      pool ??= createContainerPool({life, max: given.containers_max ?? 8, kept: given.containers_kept ?? 2});
      const report = await probeContainer(pool, version.value);
      return report.ok ? ok({pool, api, report: report.value}) : report;
    },
    startedBy: {
      option: 'certificate',
      paths: () => (options?.certificate.startsWith('/') ? [options.certificate] : []),
    },
    start: startInContainer,
  });

  function open(answerMs?: number): Outcome<OpenProxmox> {
    if (options === undefined) return failed(notConfigured);
    const token = secret(options.token);
    if (token === undefined) return failed(noToken(options.token));
    const {url, certificate, node, template, snapshot, pool: source, worker_key: key} = options;
    const server = {url, certificate, token, ...(answerMs !== undefined && {answerMs})};
    const api = createContainerApi(createProxmoxApi(server), node, realPacing);
    const life = createContainerLife<ContainerWorker>({
      api,
      pacing: realPacing,
      source: {template, snapshot, pool: source},
      newName: newContainerName,
      async reach(address) {
        const host = isIPv6(address) ? `[${address}]` : address;
        const worker = connect({name: 'proxmox-lxc', url: `http://${host}:${workerPort}`, key});
        const report = await worker.probe();
        if (report.available) return ok(worker);
        await worker.close();
        return failed(report.problem);
      },
      leave: async (worker) => await worker.close(),
    });
    return ok({api, life, given: options});
  }

  return {
    name,
    capabilities,
    probe,
    start,
    async reap() {
      const found = open(reapMs);
      if (found.ok) await reapContainers(found.value.api, found.value.life);
    },
    close: async () => await pool?.close(),
  };
}

interface OpenProxmox {
  readonly api: ContainerApi;
  readonly life: ContainerLife<ContainerWorker>;
  readonly given: ProxmoxLxcOptions;
}

/** What the worker in a container has observed, and its container is then that of the first call. */
async function probeContainer(
  pool: ContainerPool<ContainerWorker>,
  version: string,
): Promise<Outcome<AvailableReport>> {
  const acquired = await pool.acquire(containerLimits({}));
  if (!acquired.ok) return failed(explainLife(acquired.problem));
  const report = await acquired.value.worker.probe();
  if (!report.available) {
    void pool.release(acquired.value);
    return failed(report.problem);
  }
  pool.giveBack(acquired.value);
  return ok({...report, backend: name, version: `Proxmox VE ${version}, ${report.version}`});
}

const notConfigured: SandboxProblem = {
  message: `the backend \`${name}\` is not configured`,
  help: `set \`security.sandbox.backends.${name}\`, as docs/proxmox.md shows`,
};

function noToken(variable: string): SandboxProblem {
  return {
    message: `the variable \`${variable}\` with the API token of Proxmox VE is not set`,
    help: 'set it in the environment of the host',
  };
}

function notAnswering(url: string, reason: string): SandboxProblem {
  return {
    message: `Proxmox VE at ${url} did not accept the request (\`${reason}\`)`,
    help: `correct \`security.sandbox.backends.${name}\``,
  };
}
