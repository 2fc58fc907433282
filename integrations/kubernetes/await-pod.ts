// Waits until the Pod of a call runs. A watch can stall without an error: what it missed is read again at intervals, and the wait
// has a deadline.
import {setTimeout as delay} from 'node:timers/promises';
import type {V1Pod} from '@kubernetes/client-node';
import {failed, ok, type Outcome} from '@lumenflow/sandbox/backends';
import type {Cluster} from './cluster.ts';
import {diagnosePod, type Diagnosis, type PodEvent} from './diagnose-pod.ts';

export interface AwaitedPod {
  /** Labels that the Pod alone has. */
  readonly selector: string;
  /** The object that the cluster creates the Pod for. */
  readonly creator: string;
  readonly withinMs: number;
}

const resyncMs = 2000;
const pauseMs = 200;

export async function awaitPod(cluster: Cluster, {selector, creator, withinMs}: AwaitedPod): Promise<Outcome<V1Pod>> {
  const until = Date.now() + withinMs;
  let last: Diagnosis | undefined;
  while (Date.now() < until) {
    const pod = await podOf(cluster, selector);
    if (pod !== undefined && isRunning(pod)) return ok(pod);
    last = diagnosePod({
      namespace: cluster.namespace,
      pod,
      events: await eventsOf(cluster, pod?.metadata?.name ?? creator),
    });
    if (last?.isFinal === true) return failed(last.problem);
    const since = performance.now();
    const seen = await changed(cluster, {selector, from: pod});
    if (seen !== undefined) return ok(seen);
    // A watch that ends at once is not begun again at once.
    await delay(Math.max(0, pauseMs - (performance.now() - since)));
  }
  return failed(last?.problem ?? late(cluster, withinMs));
}

export async function podOf({core, namespace}: Cluster, labelSelector: string): Promise<V1Pod | undefined> {
  const {items}: {readonly items?: unknown} = await core.listNamespacedPod({namespace, labelSelector});
  if (!Array.isArray(items)) throw new TypeError('it is not a list of Pods');
  return (items as readonly V1Pod[])[0];
}

async function eventsOf({core, namespace}: Cluster, name: string): Promise<readonly PodEvent[]> {
  try {
    return (await core.listNamespacedEvent({namespace, fieldSelector: `involvedObject.name=${name}`})).items;
  } catch {
    // A host without the right to read them has less to report.
    return [];
  }
}

function isRunning(pod: V1Pod | undefined): boolean {
  return pod?.status?.phase === 'Running' && pod.status.containerStatuses?.[0]?.state?.running !== undefined;
}

/** The Pod once it runs; undefined after `resyncMs`, or when the watch ends. */
async function changed(
  {watch, namespace}: Cluster,
  {selector, from}: {readonly selector: string; readonly from: V1Pod | undefined},
): Promise<V1Pod | undefined> {
  return await new Promise((resolve) => {
    let request: AbortController | undefined;
    let isOver = false;
    const finish = (pod?: V1Pod): void => {
      // To abort a watch ends it once more, without a Pod.
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      request?.abort();
      resolve(pod);
    };
    const stop = (): void => finish();
    const timer = setTimeout(stop, resyncMs);
    const query = {labelSelector: selector, resourceVersion: from?.metadata?.resourceVersion};
    const see = (type: string, pod: V1Pod): void => {
      if (type !== 'DELETED' && isRunning(pod)) finish(pod);
    };
    const begin = async (): Promise<void> => {
      request = await watch.watch(`/api/v1/namespaces/${namespace}/pods`, query, see, stop);
      if (isOver) request.abort();
    };
    begin().catch(stop);
  });
}

function late({context}: Cluster, withinMs: number): {readonly message: string; readonly help: string} {
  return {
    message: `the cluster of the context \`${context}\` did not start the Pod of the call within ${withinMs / 1000} s`,
    help: 'run `kubectl get pods`, and retry the call when the nodes are less busy',
  };
}
