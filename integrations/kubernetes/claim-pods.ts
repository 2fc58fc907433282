// A claim for each call, of a Sandbox that waits in a pool of agent-sandbox. Its Pod is as the template of the pool says.
import type {V1Pod} from '@kubernetes/client-node';
import {failed, type Outcome} from '@lumenflow/sandbox/backends';
import {awaitPod} from './await-pod.ts';
import {podSecondsMax} from './call-pod.ts';
import type {PodSource, PodOrder} from './pod-source.ts';
import type {Cluster} from './cluster.ts';
import {explainRefusal} from './explain-refusal.ts';
import {callLabel, ownerLabel, roleLabel} from './labels.ts';
import {unfitPod} from './unfit-pod.ts';
import {unlessGone} from './unless-gone.ts';

export const claims = {group: 'extensions.agents.x-k8s.io', version: 'v1beta1', plural: 'sandboxclaims'} as const;

export interface ClaimOwner {
  readonly owner: string;
  readonly warmPool: string;
}

const startMs = 120_000;
const finishedSeconds = 60;

export function claimPods(cluster: Cluster, {owner, warmPool}: ClaimOwner): PodSource {
  const {custom, core, namespace, context} = cluster;

  async function end(name: string): Promise<void> {
    await unlessGone(custom.deleteNamespacedCustomObject({...claims, namespace, name}));
    const labelSelector = `${callLabel}=${name}`;
    await unlessGone(core.deleteCollectionNamespacedPod({namespace, labelSelector, gracePeriodSeconds: 1}));
  }

  async function started(order: PodOrder): Promise<Outcome<V1Pod>> {
    const {name} = order;
    const body = claimOf({name, owner, warmPool, now: Date.now()});
    await custom.createNamespacedCustomObject({...claims, namespace, body});
    const awaited = {selector: `${callLabel}=${name}`, creator: name, withinMs: startMs};
    const pod = await awaitPod(cluster, awaited);
    const unfit = pod.ok ? unfitPod(pod.value, order) : undefined;
    return unfit === undefined ? pod : failed(unfit);
  }

  return {
    async start(order) {
      try {
        const pod = await started(order);
        if (!pod.ok) await end(order.name);
        return pod;
      } catch (error) {
        await end(order.name).catch(() => undefined);
        return failed(explainRefusal(error, {action: 'create SandboxClaims', context, namespace}));
      }
    },
    end,
  };
}

/** Its end is always set: a claim whose host was killed would keep a Sandbox for ever. */
function claimOf({name, owner, warmPool, now}: ClaimOwner & {readonly name: string; readonly now: number}): object {
  const labels = {[ownerLabel]: owner, [callLabel]: name, [roleLabel]: 'call'};
  return {
    apiVersion: `${claims.group}/${claims.version}`,
    kind: 'SandboxClaim',
    metadata: {name, labels},
    spec: {
      warmPoolRef: {name: warmPool},
      lifecycle: {
        shutdownTime: new Date(now + podSecondsMax * 1000).toISOString(),
        ttlSecondsAfterFinished: finishedSeconds,
        shutdownPolicy: 'Delete',
      },
      additionalPodMetadata: {labels},
    },
  };
}
