// Removes what killed hosts of this machine left in the cluster. What hosts of other machines left ends by itself: a Pod ends when
// its stream is cut, and the cluster removes it after its time.
import {hasEnded, thisProcess} from '@lumenflow/sandbox/guest';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import type {V1ObjectMeta} from '@kubernetes/client-node';
import {claims} from './claim-pods.ts';
import type {Cluster} from './cluster.ts';
import {ownerLabel} from './labels.ts';
import type {PodSource} from './pod-source.ts';

const machineDigits = 16;

/** This host among all hosts of a cluster. The machine is its current boot: others may be copies of it, with the same id. */
export function thisOwner(): string {
  return `${thisMachine()}-${thisProcess()}`;
}

function thisMachine(): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
  return createHash('sha256').update(boot).digest('hex').slice(0, machineDigits);
}

/** The names of those whose host has ended. */
export function leftCalls(
  calls: readonly Pick<V1ObjectMeta, 'name' | 'labels'>[],
  {machine, isOver}: {readonly machine: string; isOver(process: string): boolean},
): readonly string[] {
  return calls.flatMap(({name, labels}) => {
    const owner = labels?.[ownerLabel] ?? '';
    const isLeft = owner.startsWith(`${machine}-`) && isOver(owner.slice(machine.length + 1));
    return name !== undefined && isLeft ? [name] : [];
  });
}

export async function reapCalls(
  {batch, custom, namespace}: Cluster,
  pods: PodSource,
  usesClaims: boolean,
): Promise<void> {
  const labelSelector = ownerLabel;
  const {items} = usesClaims
    ? ((await custom.listNamespacedCustomObject({...claims, namespace, labelSelector})) as {
        readonly items: readonly {readonly metadata?: V1ObjectMeta}[];
      })
    : await batch.listNamespacedJob({namespace, labelSelector});
  const left = leftCalls(
    items.map(({metadata}) => metadata ?? {}),
    {machine: thisMachine(), isOver: hasEnded},
  );
  await Promise.all(left.map(async (name) => await pods.end(name)));
}
