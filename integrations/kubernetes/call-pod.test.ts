import {expect, test} from 'vitest';
import {callJob, callPodSpec, type CallPod} from './call-pod.ts';
import {fileRoots} from './file-roots.ts';

const call: CallPod = {
  name: 'lumenflow-1',
  namespace: 'lumenflow',
  owner: 'machine-1-2',
  image: `registry.example/runner@sha256:${'0'.repeat(64)}`,
  uid: 1_000_001,
  memoryBytes: 512 * 1024 ** 2,
  fileRoots: ['/home'],
  fileBytes: 1024,
  tmpBytes: 2048,
};

test('a Pod has the restricted security of Kubernetes, limits, a deadline and no credential', () => {
  const {containers, volumes, ...spec} = callPodSpec(call);
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    hostNetwork: false,
    hostPID: false,
    hostIPC: false,
    restartPolicy: 'Never',
    activeDeadlineSeconds: 21_600,
    securityContext: {runAsNonRoot: true, runAsUser: 1_000_001, seccompProfile: {type: 'RuntimeDefault'}},
  });
  expect(containers).toHaveLength(1);
  expect(containers[0]).toMatchObject({
    securityContext: {
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      capabilities: {drop: ['ALL']},
    },
    resources: {limits: {memory: String(512 * 1024 ** 2), cpu: '2'}},
  });
  expect(volumes?.map(({emptyDir}) => emptyDir?.sizeLimit)).toEqual(['3072', String(64 * 1024 ** 2 + 1024)]);
});

test('no Pod requests more memory than its limit, which the API server rejects', () => {
  const requests = (memoryBytes: number) => callPodSpec({...call, memoryBytes}).containers[0]?.resources?.requests;
  expect(requests(64 * 1024 ** 2)).toMatchObject({memory: String(64 * 1024 ** 2)});
  expect(requests(1024 ** 3)).toMatchObject({memory: String(128 * 1024 ** 2)});
});

test('a Job ends by itself: it has a deadline, is never retried, and is removed after its end', () => {
  const {spec, metadata} = callJob(call);
  expect(spec).toMatchObject({backoffLimit: 0, activeDeadlineSeconds: 21_600, ttlSecondsAfterFinished: 60});
  expect(metadata?.labels).toEqual(spec?.template.metadata?.labels);
});

test('the class of the runtime and the nodes are as the options say', () => {
  const spec = callPodSpec({...call, runtimeClass: 'gvisor', nodeSelector: {pool: 'calls'}});
  expect(spec).toMatchObject({runtimeClassName: 'gvisor', nodeSelector: {pool: 'calls'}});
  expect(callPodSpec(call)).not.toHaveProperty('runtimeClassName');
});

test('files have mounts where the image has nothing that they would hide', () => {
  expect(
    fileRoots(['/home/a/work', '/home/b', '/tmp/x', '/usr/lib/node_modules/l/runner.cjs', '/var/tmp/bundle/x']),
  ).toEqual(['/home', '/usr/lib/node_modules/l', '/var/tmp/bundle']);
  expect(fileRoots(['/opt/a/x', '/opt/a/b/y'])).toEqual(['/opt/a']);
});
