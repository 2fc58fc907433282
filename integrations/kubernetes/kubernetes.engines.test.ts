// Calls in the Pods of a real cluster: etcd, the API server, the scheduler, the kubelet and containerd, on this machine.
import {spawn, spawnSync} from 'node:child_process';
import {EventEmitter, once} from 'node:events';
import {join, matchesGlob} from 'node:path';
import {fileURLToPath} from 'node:url';
import {KubeConfig, KubernetesObjectApi, type V1Job, type V1Pod} from '@kubernetes/client-node';
import {runBackendConformance} from '@lumenflow/sandbox/conformance';
import type {RunnerProgram, SandboxBackend} from '@lumenflow/sandbox/backends';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {callJob, type CallPod} from './call-pod.ts';
import {commandRequest} from './command-request.fixture.ts';
import {createBackend} from './create-backend.ts';
import type {KubernetesOptions} from './kubernetes-options.ts';
import {clusterObstacle, manifests, startRealCluster, type RealCluster} from './real-cluster.fixture.ts';

const obstacle = clusterObstacle();
const call: Omit<CallPod, 'image'> = {
  name: 'lumenflow-1',
  namespace: 'lumenflow',
  owner: 'elsewhere-1-1',
  uid: 1_000_001,
  memoryBytes: 64 * 1024 ** 2,
  fileRoots: [],
  fileBytes: 0,
  tmpBytes: 4096,
};

function objectsOf(kubeconfig: string): KubernetesObjectApi {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  return KubernetesObjectApi.makeApiClient(config);
}

const caseMs = 600_000;
const runner: RunnerProgram = {nodePath: process.execPath, runnerPath: '', runtimePaths: [], argv: () => []};
const agentPath = fileURLToPath(import.meta.resolve('@lumenflow/sandbox/container-agent'));
const parts = {runner, agentPath};

describe.skipIf(obstacle !== undefined)(`kubernetes (${obstacle ?? 'real'})`, () => {
  let cluster: RealCluster;
  beforeAll(async () => {
    cluster = await startRealCluster();
    process.env['KUBECONFIG'] = cluster.hostKubeconfig;
    process.env['LUMENFLOW_CONFORMANCE_HOST'] = 'host';
  }, caseMs);
  afterAll(async () => {
    delete process.env['KUBECONFIG'];
    delete process.env['LUMENFLOW_CONFORMANCE_HOST'];
    await cluster.end();
  });

  function backendOf(runner: RunnerProgram): SandboxBackend {
    return {
      name: 'kubernetes',
      capabilities: {
        spares: true,
        views: true,
        writesDirectly: false,
        network: undefined,
        selfTest: false,
        killsAtOnce: false,
        lacks: ['network_allowlist', 'network_full'],
      },
      ...createBackend({runner, agentPath}, {image: cluster.image}),
    };
  }

  describe('the suite of all backends', () => {
    runBackendConformance({
      register: (name, run) => test(name, {timeout: caseMs}, run),
      registerSkipped: (name, reason) => test.skip(`${name} (${reason})`),
      compilePattern: (pattern) => (path) => matchesGlob(path, pattern),
      newBackend: backendOf,
      startMs: 30_000,
      skip: [
        {
          reason: 'nothing that a call writes reaches the host before it has returned',
          cases: [
            'a timeout ends the handler and the children that ignore SIGTERM',
            'a timeout ends children that have left the process group',
            'a cancel reaches the handler, which may clean up',
          ],
        },
        {reason: 'its Pods have no network', cases: ['an allowlist refuses what it does not list, at once']},
      ],
    });
  });

  test('the real API server accepts the Pods of calls, of all profiles', async () => {
    const {image} = cluster;
    const jobs = [
      callJob({...call, image}),
      callJob({...call, image, fileRoots: ['/home', '/srv'], runtimeClass: 'gvisor', nodeSelector: {pool: 'calls'}}),
    ];
    const api = objectsOf(cluster.kubeconfig);
    for (const job of jobs) await api.create(job, undefined, 'All');
    const wrong = structuredClone(jobs[0]);
    Object.assign(wrong?.spec?.template.spec ?? {}, {restartPolicy: 'Sometimes'});
    await expect(api.create(wrong as (typeof jobs)[0], undefined, 'All')).rejects.toMatchObject({code: 422});
  });

  test('the real API server accepts hosts as deploy/kubernetes has them, with every field', () => {
    const folder = fileURLToPath(new URL('../../deploy/kubernetes', import.meta.url));
    cluster.admin('apply', '-f', join(folder, '00-namespace.yaml'));
    const accepted = cluster.admin('apply', '--dry-run=server', '--validate=strict', '-f', folder);
    expect(accepted).toContain('deployment.apps/lumenflow-host created (server dry run)');
    expect(accepted).toContain('networkpolicy.networking.k8s.io/lumenflow-host created (server dry run)');
    cluster.admin('delete', 'namespace', 'lumenflow-hosts');
  });

  test('a host has the rights that it needs, and no others', () => {
    const may = (...what: readonly string[]): string => {
      const args = ['--kubeconfig', cluster.hostKubeconfig, 'auth', 'can-i', ...what];
      return spawnSync(cluster.kubectl, args, {encoding: 'utf8'}).stdout.trim();
    };
    expect(may('create', 'jobs', '-n', 'lumenflow')).toBe('yes');
    for (const what of [
      ['create', 'pods', '-n', 'lumenflow'],
      ['get', 'secrets', '-n', 'lumenflow'],
      ['create', 'jobs', '-n', 'default'],
      ['delete', 'networkpolicies', '-n', 'lumenflow'],
      ['list', 'nodes'],
    ]) {
      expect([what, may(...what)]).toEqual([what, 'no']);
    }
  });

  test('nothing that a program prints or receives is in the log of its container', {timeout: caseMs}, async () => {
    const backend = createBackend(parts, {image: cluster.image});
    const started = await backend.start(
      commandRequest(process.execPath, '-e', `console.log('printed'); setInterval(() => {}, 1000);`),
    );
    if (!started.ok) throw new Error(started.problem.message);
    await once(started.value.stdout ?? new EventEmitter(), 'data');
    const pod = JSON.parse(cluster.admin('get', 'pods', '-n', 'lumenflow', '-o', 'json')) as {items: V1Pod[]};
    const running = pod.items.filter(
      ({metadata, status}) => status?.phase === 'Running' && !metadata?.deletionTimestamp,
    );
    const logs = running.map(({metadata}) => cluster.admin('logs', '-n', 'lumenflow', metadata?.name ?? ''));
    expect(logs.length).toBeGreaterThan(0);
    expect(logs.join('')).toBe('');
    await backend.close();
  });

  test('a cluster that does not enforce the policy is found out, and runs no call', {timeout: caseMs}, async () => {
    cluster.useNetwork('open');
    // Other options than before: what was found with them is kept.
    const options = {
      image: cluster.image,
      node_selector: ['kubernetes.io/hostname=localhost'],
    } satisfies KubernetesOptions;
    const backend = createBackend(parts, options);
    try {
      const report = await backend.probe();
      expect(report).toMatchObject({available: true, tier: 'dev', guarantees: {network_off: 'unsupported'}});
      const started = await backend.start(commandRequest('true'));
      expect(started).toMatchObject({
        ok: false,
        problem: {
          message: expect.stringMatching(/^the cluster does not enforce the NetworkPolicy of calls: a Pod reached `/),
        },
      });
    } finally {
      cluster.useNetwork('closed');
      await backend.close();
    }
  });

  test('a call is refused once the policy is gone', {timeout: caseMs}, async () => {
    const backend = createBackend(parts, {image: cluster.image});
    await backend.probe();
    const policy = join(manifests, '20-network-policy.yaml');
    cluster.admin('delete', '-f', policy);
    const refused = await backend.start(commandRequest('true'));
    cluster.admin('create', '-f', policy);
    expect(refused).toMatchObject({
      ok: false,
      problem: {message: expect.stringMatching(/has no namespace `lumenflow`, or not all/)},
    });
    await backend.close();
  });

  test('a Pod ends with a host that is killed, and the next host removes what is left', {timeout: caseMs}, async () => {
    const program = fileURLToPath(new URL('lasting-host.fixture.ts', import.meta.url));
    const flags = ['--conditions=@lumenflow/source', '--import', 'tsx'];
    const host = spawn(process.execPath, [...flags, program, agentPath, cluster.image], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(host.stdout, 'data')) as [Buffer];
    expect(line.toString()).toBe('started\n');
    const jobs = (): readonly V1Job[] =>
      (JSON.parse(cluster.admin('get', 'jobs', '-n', 'lumenflow', '-o', 'json')) as {items: V1Job[]}).items;
    const owned = jobs().filter(({metadata}) => metadata?.labels?.['lumenflow.dev/owner']?.endsWith(`-${host.pid}`));
    expect(owned).toHaveLength(1);
    const foreign = callJob({...call, name: 'foreign', image: cluster.image});
    await objectsOf(cluster.kubeconfig).create(foreign);
    host.kill('SIGKILL');
    await vi.waitUntil(
      () =>
        jobs().some(({metadata, status}) => metadata?.name === owned[0]?.metadata?.name && (status?.active ?? 0) === 0),
      {timeout: 60_000},
    );
    const backend = createBackend(parts, {image: cluster.image});
    await backend.reap();
    await vi.waitUntil(() => jobs().every(({metadata}) => metadata?.name !== owned[0]?.metadata?.name), {
      timeout: 60_000,
    });
    expect(jobs().map(({metadata}) => metadata?.name)).toContain('foreign');
    cluster.admin('delete', 'job', 'foreign', '-n', 'lumenflow');
  });

  test('what is wrong with a Pod is reported from the cluster itself', {timeout: caseMs}, async () => {
    const absent = `registry.example/absent@sha256:${'0'.repeat(64)}`;
    const missing = await createBackend(parts, {image: absent}).probe();
    expect(missing).toMatchObject({
      available: false,
      problem: {
        message: expect.stringMatching(/^the node cannot pull the image `registry\.example\/absent@sha256:0+` \(`/),
      },
    });
    const elsewhere = await createBackend(parts, {image: cluster.image, namespace: 'elsewhere'}).probe();
    expect(elsewhere).toMatchObject({
      available: false,
      problem: {message: expect.stringMatching(/^the host may not create Jobs in the namespace `elsewhere` \(`/)},
    });
    const patchOf = (count: number): string => JSON.stringify({spec: {hard: {pods: String(count)}}});
    const allowPods = (count: number): void =>
      void cluster.admin('patch', 'resourcequota', 'lumenflow-calls', '-n', 'lumenflow', '--patch', patchOf(count));
    allowPods(0);
    const nodeSelector: KubernetesOptions['node_selector'] = ['kubernetes.io/os=linux'];
    const full = await createBackend(parts, {image: cluster.image, node_selector: nodeSelector}).probe();
    allowPods(100);
    expect(full).toMatchObject({
      available: false,
      problem: {
        message: expect.stringMatching(/^the quota of the namespace `lumenflow` is used up \(`exceeded quota: /),
      },
    });
  });
});
