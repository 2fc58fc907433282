// Claims of Sandboxes, against a stand-in for agent-sandbox. What the Pods of its template enforce, `unfit-pod.test.ts` checks.
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {loadAllYaml, type V1PodSpec} from '@kubernetes/client-node';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {claimPods} from './claim-pods.ts';
import {openCluster, type Cluster} from './cluster.ts';
import {callLabel, ownerLabel} from './labels.ts';
import type {PodSource} from './pod-source.ts';
import {reapCalls, thisOwner} from './reap-calls.ts';
import {serveAgentSandbox, type ServedSandboxes} from './serve-agent-sandbox.fixture.ts';

interface Template {
  readonly spec: {readonly podTemplate: {readonly spec: V1PodSpec}};
}

const manifest = readFileSync(new URL('manifests/agent-sandbox/warm-pool.yaml', import.meta.url), 'utf8');
const [template] = loadAllYaml(manifest) as [Template];
const pool = template.spec.podTemplate.spec;
const order = {name: 'lumenflow-1', memoryBytes: 1, fileRoots: ['/home'], fileBytes: 0, tmpBytes: 0};

let folder: string;
let served: ServedSandboxes;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'claim-pods-'))));
afterEach(async () => {
  vi.unstubAllEnvs();
  await served.close();
  rmSync(folder, {recursive: true});
});

async function open(
  spec: V1PodSpec | undefined,
  owner: string = thisOwner(),
): Promise<{readonly cluster: Cluster; readonly pods: PodSource}> {
  served = await serveAgentSandbox(spec);
  writeFileSync(join(folder, 'config'), served.config);
  vi.stubEnv('KUBECONFIG', join(folder, 'config'));
  const cluster = openCluster({});
  if (!cluster.ok) throw new Error(cluster.problem.message);
  return {cluster: cluster.value, pods: claimPods(cluster.value, {owner, warmPool: 'lumenflow-calls'})};
}

test('a claim gets the Pod that its labels name, ends in hours at the latest, and leaves nothing', async () => {
  const {pods} = await open(pool);
  const started = await pods.start(order);
  expect(started).toMatchObject({ok: true, value: {metadata: {name: 'pool-lumenflow-1'}}});
  const claim = served.claims.get('lumenflow-1');
  expect(claim).toMatchObject({
    spec: {
      warmPoolRef: {name: 'lumenflow-calls'},
      lifecycle: {shutdownPolicy: 'Delete'},
      additionalPodMetadata: {labels: {[callLabel]: 'lumenflow-1', [ownerLabel]: thisOwner()}},
    },
  });
  const left = Date.parse(claim?.spec.lifecycle?.shutdownTime ?? '') - Date.now();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(6 * 3_600_000 + 1000);
  await pods.end('lumenflow-1');
  await pods.end('lumenflow-1');
  expect([served.claims.size, served.pods.size]).toEqual([0, 0]);
});

test('a Pod of a template that does not confine calls is refused, and its claim ends', async () => {
  const {pods} = await open(Object.assign(structuredClone(pool), {hostNetwork: true}));
  expect(await pods.start(order)).toMatchObject({
    problem: {message: 'the Pods of the warm pool do not confine calls: they use namespaces of the node'},
  });
  expect([served.claims.size, served.pods.size]).toEqual([0, 0]);
});

test('a cluster without agent-sandbox is reported', async () => {
  const {pods} = await open(undefined);
  expect(await pods.start(order)).toMatchObject({
    problem: {message: expect.stringMatching(/^the cluster has no namespace `lumenflow`, or not all resources there/)},
  });
});

test('claims of a host that has ended are removed, and no others', async () => {
  const {cluster, pods} = await open(pool);
  await pods.start({...order, name: 'running'});
  const ended = thisOwner().replace(/\d+$/u, '999999999');
  await claimPods(cluster, {owner: ended, warmPool: 'lumenflow-calls'}).start({...order, name: 'ended'});
  await claimPods(cluster, {owner: 'elsewhere-1-1', warmPool: 'lumenflow-calls'}).start({...order, name: 'elsewhere'});
  await reapCalls(cluster, pods, true);
  expect([...served.claims.keys()]).toEqual(['running', 'elsewhere']);
  expect([...served.pods.keys()]).toEqual(['pool-running', 'pool-elsewhere']);
});
