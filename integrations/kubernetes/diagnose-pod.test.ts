// Statuses and events as real clusters report them.
import type {V1ContainerState, V1Pod, V1PodStatus} from '@kubernetes/client-node';
import {expect, test} from 'vitest';
import {diagnosePod, type PodEvent} from './diagnose-pod.ts';

const image = 'registry.example/runner@sha256:00';

function podWith(status: V1PodStatus): V1Pod {
  return {metadata: {name: 'lumenflow-1'}, spec: {containers: [], nodeName: 'node-1'}, status};
}

function container(state: V1ContainerState): V1Pod {
  return podWith({
    phase: 'Pending',
    containerStatuses: [{name: 'call', image, imageID: '', ready: false, restartCount: 0, state}],
  });
}

function messageOf(pod: V1Pod | undefined, events: readonly PodEvent[] = []): string | undefined {
  return diagnosePod({namespace: 'lumenflow', pod, events})?.problem.message;
}

test.each([
  [
    'an image that cannot be pulled',
    container({waiting: {reason: 'ImagePullBackOff', message: 'Back-off pulling image'}}),
    `the node cannot pull the image \`${image}\` (\`Back-off pulling image\`)`,
  ],
  [
    'an image without a shell',
    container({waiting: {reason: 'RunContainerError', message: 'exec: "/bin/sh": no such file\nmore'}}),
    'the container of Pod `lumenflow-1` cannot start (`exec: "/bin/sh": no such file`)',
  ],
  [
    'memory',
    container({terminated: {exitCode: 137, reason: 'OOMKilled'}}),
    'the container of the call ran out of memory',
  ],
  [
    'an eviction',
    podWith({phase: 'Failed', reason: 'Evicted', message: 'Usage of EmptyDir volume "tmp" exceeds the limit "1Mi".'}),
    'the node `node-1` evicted the Pod of the call (`Usage of EmptyDir volume "tmp" exceeds the limit "1Mi".`)',
  ],
  ['a lost node', podWith({reason: 'NodeLost'}), 'the cluster lost the node `node-1` of the call'],
  ['a deadline', podWith({reason: 'DeadlineExceeded'}), 'the Pod of the call reached its deadline'],
])('%s is final', (_, pod, message) => {
  expect(messageOf(pod)).toBe(message);
  expect(diagnosePod({namespace: 'lumenflow', pod, events: []})?.isFinal).toBe(true);
});

test('a Pod that no node accepts may still be accepted', () => {
  const message = '0/3 nodes are available: 3 Insufficient memory.';
  const pod = podWith({
    phase: 'Pending',
    conditions: [{type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message}],
  });
  expect(diagnosePod({namespace: 'lumenflow', pod, events: []})).toMatchObject({
    isFinal: false,
    problem: {message: `no node of the cluster accepts the Pod of the call (\`${message}\`)`},
  });
});

test('a Pod that is not created is explained by the events of its Job', () => {
  const quota =
    'Error creating: pods "lumenflow-1-x" is forbidden: exceeded quota: calls, requested: pods=1, used: pods=2, limited: pods=2';
  const policy = 'Error creating: pods "lumenflow-1-x" is forbidden: violates PodSecurity "restricted:latest"';
  expect(messageOf(undefined, [{reason: 'FailedCreate', message: quota}])).toBe(
    'the quota of the namespace `lumenflow` is used up (`exceeded quota: calls, requested: pods=1, used: pods=2, limited: pods=2`)',
  );
  expect(messageOf(undefined, [{reason: 'FailedCreate', message: policy}])).toBe(
    `the cluster does not admit the Pod of a call in the namespace \`lumenflow\` (\`${policy}\`)`,
  );
});

test('nothing is wrong with a Pod that starts or runs', () => {
  expect(messageOf(container({waiting: {reason: 'ContainerCreating'}}))).toBeUndefined();
  expect(messageOf(container({running: {}}))).toBeUndefined();
  expect(messageOf(undefined)).toBeUndefined();
});
