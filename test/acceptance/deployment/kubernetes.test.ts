// The manifests in deploy/kubernetes, judged by the schemas of Kubernetes, and by what its objects must know of each other.
import {loadYaml, dumpYaml} from '@kubernetes/client-node';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parse, parseAllDocuments} from 'yaml';

const folder = join(import.meta.dirname, '../../../deploy/kubernetes');

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {readonly name: string; readonly namespace?: string};
  // Objects of many kinds.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly spec: any;
}

const manifests: readonly Manifest[] = readdirSync(folder)
  .toSorted()
  .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8'), {merge: true}))
  .map((document) => document.toJS() as Manifest);
const titled = manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const);
const find = (kind: string): Manifest => {
  const found = manifests.find((each) => each.kind === kind);
  if (found === undefined) throw new Error(`there is no ${kind}`);
  return found;
};

/** Throws what the schema of its kind rejects, and what the API's own client does not know. */
async function validate(manifest: Manifest): Promise<void> {
  const {apiVersion, kind} = manifest;
  const models = (await import(`kubernetes-models/${apiVersion}/${kind}`)) as Readonly<
    Record<string, new (data: unknown) => {validate(): void}>
  >;
  const Model = models[kind];
  if (Model === undefined) throw new Error(`there is no schema of ${kind}`);
  new Model(manifest).validate();
  // JSON is YAML. The client keeps only fields that exist.
  expect(parse(dumpYaml(loadYaml(JSON.stringify(manifest))))).toEqual(manifest);
}

describe('each manifest', () => {
  test.each(titled)('%s fits its schema', async (_title, manifest) => {
    await validate(manifest);
  });

  test('with a field that does not exist, or of another type, does not fit', async () => {
    const deployment = find('Deployment');
    const changed = (change: object): Manifest => ({...deployment, spec: {...deployment.spec, ...change}});
    await expect(validate(changed({replicas: 'two'}))).rejects.toThrow(/replicas/u);
    await expect(validate(changed({replica: 2}))).rejects.toThrow(/to deeply equal/u);
  });

  test('is in the namespace of hosts, except the rights in the namespace of calls', () => {
    const elsewhere = manifests.filter(({metadata}) => metadata.namespace !== 'lumenflow-hosts');
    expect(elsewhere.map(({kind}) => kind)).toEqual(['Namespace', 'RoleBinding']);
  });
});

const pods = manifests.filter(({kind}) => kind === 'Deployment' || kind === 'Job');

test.each(pods.map((each) => [each.metadata.name, each.spec.template.spec] as const))(
  'the Pod of %s has the restricted security of Kubernetes, and a root that it cannot write',
  (_name, spec) => {
    expect(spec.securityContext).toMatchObject({runAsNonRoot: true, seccompProfile: {type: 'RuntimeDefault'}});
    for (const {securityContext, volumeMounts, env, image} of spec.containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: {drop: ['ALL']},
      });
      const volumes = spec.volumes.map(({name}: {name: string}) => name);
      expect(volumes).toEqual(volumeMounts.map(({name}: {name: string}) => name));
      for (const each of env) expect(each).toHaveProperty('valueFrom.secretKeyRef');
      expect(image).toContain('@sha256:');
    }
  },
);

test('service, budget and network policy select the Pods of the Deployment, and the Job is not one of them', () => {
  const {labels} = find('Deployment').spec.template.metadata;
  expect(find('Deployment').spec.selector.matchLabels).toEqual(labels);
  expect(find('Service').spec.selector).toEqual(labels);
  expect(find('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
  expect(find('Job').spec.template.metadata.labels).not.toEqual(labels);
  const [container] = find('Deployment').spec.template.spec.containers;
  expect(find('Service').spec.ports[0].targetPort).toBe(container.ports[0].name);
  expect(container.args).toContain(`--port=${container.ports[0].containerPort}`);
});

test('a Pod that ends has the time that the host needs: drain, grace, five seconds for telemetry', () => {
  const {terminationGracePeriodSeconds, containers} = find('Deployment').spec.template.spec;
  const secondsOf = (option: string): number =>
    Number(containers[0].args.find((arg: string) => arg.startsWith(`${option}=`)).slice(option.length + 1));
  expect(secondsOf('--drain') + secondsOf('--grace') + 5).toBeLessThan(terminationGracePeriodSeconds);
  // Longer than a failing readiness probe needs to reach the load balancer.
  expect(secondsOf('--drain')).toBeGreaterThan(containers[0].readinessProbe.periodSeconds);
});

test('the page of operations names every secret with its keys, and the label of clients', () => {
  const page = readFileSync(join(folder, '../../docs/operations.md'), 'utf8');
  for (const {spec} of pods) {
    for (const {valueFrom} of spec.template.spec.containers[0].env) {
      const {name, key} = valueFrom.secretKeyRef;
      expect(page).toMatch(new RegExp(`create secret generic ${name} [^\`]*--from-(?:literal|file)[= ]'?${key}=`, 'u'));
    }
  }
  expect(page).toContain('lumenflow.dev/clients=true');
  expect(page).toContain('lumenflow.dev/database=true');
});
