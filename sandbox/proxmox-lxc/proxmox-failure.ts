// What a refused request means for what comes next. Proxmox VE reports most failures with status 500 and a sentence.

export type FailureKind =
  /** The container is locked by another task, or its lock was not free in time. */
  | 'locked'
  /** Another container has the id. */
  | 'taken'
  /** There is no such container. */
  | 'absent'
  /** The token is not valid, or lacks a privilege. */
  | 'denied'
  /** The server does not answer, or not now. */
  | 'unreachable'
  | 'other';

export interface ProxmoxFailure {
  readonly kind: FailureKind;
  /** As the server words it. */
  readonly message: string;
}

const sentences: readonly (readonly [FailureKind, RegExp])[] = [
  ['locked', /\bis locked\b|can't lock file|got lock timeout|lock\b.*\btimeout|unable to acquire .*lock/i],
  ['taken', /already exists|already in use|config file .*exists/i],
  ['absent', /configuration file .* does not exist|no such (ct|container|vm)|(ct|vm) \d+ (does not exist|not found)/i],
  ['denied', /permission check failed|authentication failure|no ticket|invalid token/i],
];

/** Of a proxy of the cluster that could not ask the node, or not in time. */
const passing: ReadonlySet<number> = new Set([502, 503, 504, 595, 596, 599]);

/** `status`: of the answer; undefined if the sentence is the exit status of a task. */
export function proxmoxFailure(message: string, status?: number): ProxmoxFailure {
  const kind = sentences.find(([, pattern]) => pattern.test(message))?.[0] ?? kindOf(status);
  return {kind, message};
}

function kindOf(status: number | undefined): FailureKind {
  if (status === 401 || status === 403) return 'denied';
  if (status === 404) return 'absent';
  return status !== undefined && passing.has(status) ? 'unreachable' : 'other';
}
