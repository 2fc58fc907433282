// The labels of what a host creates in a cluster: who owns it, so that another host can remove it once its owner has ended.
import {randomUUID} from 'node:crypto';

export const ownerLabel = 'lumenflow.dev/owner';
export const callLabel = 'lumenflow.dev/call';
/** Of all of LumenFlow's Pods: the network policy selects them by it. */
export const roleLabel = 'lumenflow.dev/role';

/** Unique in the cluster; a valid name of an object. */
export function newCallName(): string {
  return `lumenflow-${randomUUID()}`;
}
