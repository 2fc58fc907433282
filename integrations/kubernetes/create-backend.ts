// A backend that runs each call in a Pod of a cluster.
import {
  failed,
  ok,
  type Outcome,
  type SandboxBackend,
  type SandboxProblem,
  type StartRequest,
} from '@lumenflow/sandbox/backends';
import {probedBackend, type AvailableReport, type StartedGuest} from '@lumenflow/sandbox/guest';
import type {KubernetesOptions} from './kubernetes-options.ts';
import type {IntegrationParts} from '@lumenflow/sandbox/backends';
import type {CallPod} from './call-pod.ts';
import type {PodSource} from './pod-source.ts';
import {claimPods} from './claim-pods.ts';
import {confiningPolicy} from './confining-policy.ts';
import {openCluster, type Cluster} from './cluster.ts';
import {jobPods} from './job-pods.ts';
import {probeCluster} from './probe-cluster.ts';
import {reapCalls, thisOwner} from './reap-calls.ts';
import {startInPod, type PodHost} from './start-in-pod.ts';

interface ReadyCluster {
  readonly host: PodHost;
  readonly report: AvailableReport;
}

export function createBackend(
  {runner, agentPath}: IntegrationParts,
  options: KubernetesOptions,
): Pick<SandboxBackend, 'probe' | 'start' | 'reap' | 'close'> {
  const running = new Set<StartedGuest>();
  const {probe, start} = probedBackend<ReadyCluster>({
    name: 'kubernetes',
    async look() {
      const found = hostOf(options);
      if (!found.ok) return found;
      const {nodePath, runtimePaths, runnerPath} = runner;
      const host = {
        ...found.value,
        agentPath,
        nodePath,
        provides: (path: string) => path !== runnerPath && runtimePaths.includes(path),
        runner: {nodePath, runtimePaths},
      };
      const report = await probeCluster({...host, options});
      return report.ok ? ok({host, report: report.value}) : report;
    },
    startedBy: {option: 'context', paths: () => []},
    async start(request, {host, report}) {
      const refused = refusal(request, report);
      if (refused !== undefined) return failed(refused);
      const policy = await confiningPolicy(host.cluster);
      if (!policy.ok) return policy;
      const started = await startInPod(request, host);
      if (!started.ok) return started;
      running.add(started.value);
      void started.value.ended.then(() => running.delete(started.value));
      return started;
    },
  });
  return {
    probe,
    start,
    async reap() {
      const found = hostOf(options);
      if (!found.ok) return;
      const {cluster, pods} = found.value;
      // A cluster that does not answer removes what was left by itself.
      await reapCalls(cluster, pods, options.warm_pool !== undefined).catch(() => undefined);
    },
    async close() {
      for (const {kill} of running) kill();
      await Promise.all([...running].map(({ended}) => ended));
    },
  };
}

function hostOf(options: KubernetesOptions): Outcome<{readonly cluster: Cluster; readonly pods: PodSource}> {
  const {image, warm_pool, runtime_class, node_selector} = options;
  const cluster = openCluster(options);
  if (!cluster.ok) return cluster;
  const owner = thisOwner();
  if (warm_pool !== undefined) {
    return ok({cluster: cluster.value, pods: claimPods(cluster.value, {owner, warmPool: warm_pool})});
  }
  if (image === undefined) return failed(noImage);
  const template = {owner, image, runtimeClass: runtime_class, nodeSelector: labelsOf(node_selector)};
  return ok({cluster: cluster.value, pods: jobPods(cluster.value, template)});
}

function labelsOf(labels: readonly string[] | undefined): CallPod['nodeSelector'] {
  return (
    labels &&
    Object.fromEntries(
      labels.map((label) => {
        const [key = '', value = ''] = label.split('=');
        return [key, value];
      }),
    )
  );
}

const noImage: SandboxProblem = {
  message: 'the backend `kubernetes` has no image for the Pods of calls',
  help: 'save the runner image with `lumenflow sandbox image save FILE`, push it, and set `security.sandbox.backends.kubernetes.image` to its digest',
};

function refusal({profile}: StartRequest, {guarantees, gaps}: AvailableReport): SandboxProblem | undefined {
  if (profile.profile.network_posture !== 'off') {
    return {
      message: 'the backend `kubernetes` does not support `network_allowlist`: its Pods have no network',
      help: 'remove the network scope of the tool, or use a backend with a network, such as `gvisor`',
    };
  }
  return guarantees.network_off === 'enforced' ? undefined : gaps[0];
}
