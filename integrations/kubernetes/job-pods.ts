// A Job for each call.
import {randomInt} from 'node:crypto';
import type {V1Pod} from '@kubernetes/client-node';
import {failed, type Outcome} from '@lumenflow/sandbox/backends';
import {awaitPod} from './await-pod.ts';
import {callJob, type CallPod} from './call-pod.ts';
import type {PodSource} from './pod-source.ts';
import type {Cluster} from './cluster.ts';
import {explainRefusal} from './explain-refusal.ts';
import {callLabel} from './labels.ts';
import {unlessGone} from './unless-gone.ts';

export type PodTemplate = Pick<CallPod, 'owner' | 'image' | 'runtimeClass' | 'nodeSelector'>;

const startMs = 120_000;
/** No user of a node or of an image: limits of processes would count theirs. */
const uids = {min: 1_000_000, max: 2_000_000_000} as const;

export function jobPods(cluster: Cluster, template: PodTemplate): PodSource {
  const {batch, core, namespace, context} = cluster;

  async function end(name: string): Promise<void> {
    await unlessGone(batch.deleteNamespacedJob({name, namespace, propagationPolicy: 'Background'}));
    // The garbage collector would do it, seconds later.
    await unlessGone(
      core.deleteCollectionNamespacedPod({namespace, labelSelector: `${callLabel}=${name}`, gracePeriodSeconds: 1}),
    );
  }

  return {
    async start(order): Promise<Outcome<V1Pod>> {
      const uid = randomInt(uids.min, uids.max);
      const body = callJob({...template, ...order, namespace, uid});
      try {
        await batch.createNamespacedJob({namespace, body});
        const pod = await awaitPod(cluster, {
          selector: `${callLabel}=${order.name}`,
          creator: order.name,
          withinMs: startMs,
        });
        if (!pod.ok) await end(order.name);
        return pod;
      } catch (error) {
        await end(order.name).catch(() => undefined);
        return failed(explainRefusal(error, {action: 'create Jobs', context, namespace}));
      }
    },
    end,
  };
}
