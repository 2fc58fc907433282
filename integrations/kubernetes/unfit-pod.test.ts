import {readFileSync} from 'node:fs';
import {loadAllYaml, type V1Pod, type V1PodSpec} from '@kubernetes/client-node';
import {expect, test} from 'vitest';
import {unfitPod} from './unfit-pod.ts';

interface Template {
  readonly spec: {readonly podTemplate: {readonly spec: V1PodSpec}};
}

const manifest = readFileSync(new URL('manifests/agent-sandbox/warm-pool.yaml', import.meta.url), 'utf8');

function podOf(change: (spec: V1PodSpec) => void = () => undefined): V1Pod {
  const [template] = loadAllYaml(manifest) as [Template];
  change(template.spec.podTemplate.spec);
  return {spec: template.spec.podTemplate.spec};
}

const order = {fileRoots: ['/home']};

test('the template of the manifests confines calls', () => {
  expect(unfitPod(podOf(), order)).toBeUndefined();
});

test.each<[string, (spec: V1PodSpec) => void]>([
  ['the network of the node', (spec) => (spec.hostNetwork = true)],
  ['its processes', (spec) => (spec.hostPID = true)],
  ['a folder of the node', (spec) => spec.volumes?.push({name: 'node', hostPath: {path: '/'}})],
  ['a token', (spec) => delete spec.automountServiceAccountToken],
  ['all privileges', (spec) => Object.assign(spec.containers[0]?.securityContext ?? {}, {privileged: true})],
  [
    'a capability',
    (spec) => Object.assign(spec.containers[0]?.securityContext?.capabilities ?? {}, {add: ['SYS_ADMIN']}),
  ],
  [
    'a writable root',
    (spec) => Object.assign(spec.containers[0]?.securityContext ?? {}, {readOnlyRootFilesystem: false}),
  ],
  ['a second container', (spec) => spec.containers.push({name: 'other'})],
  ['no filter', (spec) => delete spec.securityContext?.seccompProfile],
  ['no limit of memory', (spec) => delete spec.containers[0]?.resources?.limits],
])('a template with %s is refused', (_, weaken) => {
  expect(unfitPod(podOf(weaken), order)?.message).toMatch(/^the Pods of the warm pool do not confine calls: /);
});

test('a template without a volume where files belong is refused', () => {
  expect(unfitPod(podOf(), {fileRoots: ['/work']})?.message).toBe(
    'the Pods of the warm pool have no volume at `/work`, where files of the call belong',
  );
});
