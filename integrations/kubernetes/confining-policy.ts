// The policy that the Pods of calls rely on: a probe found that the cluster enforces it, and anyone may change or delete it later.
import {failed, ok, type Outcome} from '@lumenflow/sandbox/backends';
import type {Cluster} from './cluster.ts';
import {explainRefusal} from './explain-refusal.ts';

const policyName = 'lumenflow-calls';

/** Identifies its present version. */
export async function confiningPolicy(cluster: Cluster): Promise<Outcome<string>> {
  const {networking, namespace} = cluster;
  try {
    const {spec, metadata} = await networking.readNamespacedNetworkPolicy({name: policyName, namespace});
    const isClosed = (spec?.ingress ?? []).length === 0 && (spec?.egress ?? []).length === 0;
    const closes = spec?.policyTypes ?? [];
    if (isClosed && closes.includes('Ingress') && closes.includes('Egress')) {
      return ok(`${metadata?.uid} ${metadata?.resourceVersion}`);
    }
    return failed({
      message: `the NetworkPolicy \`${policyName}\` in the namespace \`${namespace}\` allows traffic`,
      help: 'apply the manifests of `@lumenflow/integration-kubernetes` again',
    });
  } catch (error) {
    return failed(explainRefusal(error, {...cluster, action: `read the NetworkPolicy \`${policyName}\``}));
  }
}
