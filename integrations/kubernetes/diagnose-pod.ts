// Why the Pod of a call does not run, from its conditions, its container and the events about it. Each message names what is wrong,
// where, and what to do.
import type {CoreV1Event, V1ContainerStatus, V1Pod, V1PodStatus} from '@kubernetes/client-node';
import type {SandboxProblem} from '@lumenflow/sandbox/backends';

export type PodEvent = Pick<CoreV1Event, 'reason' | 'message'>;

export interface PodFacts {
  readonly namespace: string;
  /** Undefined: the cluster has not created it. */
  readonly pod: V1Pod | undefined;
  /** About the Pod, its Job or its claim. */
  readonly events: readonly PodEvent[];
}

/** `final`: it will not run. Another may still. */
export interface Diagnosis {
  readonly isFinal: boolean;
  readonly problem: SandboxProblem;
}

/** Undefined if nothing is known to be wrong. */
export function diagnosePod(facts: PodFacts): Diagnosis | undefined {
  return facts.pod === undefined
    ? ofCreation(facts)
    : (ofContainer(facts.pod) ?? ofPod(facts.pod) ?? ofCreation(facts));
}

function ofCreation({namespace, events}: PodFacts): Diagnosis | undefined {
  const refused = events.find(({reason}) => reason === 'FailedCreate')?.message;
  if (refused === undefined) return undefined;
  const quota = /exceeded quota: [^,]+(?:,.*)?/.exec(refused)?.[0];
  if (quota !== undefined) {
    return final(`the quota of the namespace \`${namespace}\` is used up (\`${quota}\`)`, {
      help: 'wait for other calls to end, or raise the quota of the namespace',
    });
  }
  return final(`the cluster does not admit the Pod of a call in the namespace \`${namespace}\` (\`${refused}\`)`, {
    help: 'correct what the message names: an admission policy, or the labels of the namespace',
  });
}

const pulls: ReadonlySet<string | undefined> = new Set(['ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull']);
const settings: ReadonlySet<string | undefined> = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
]);

function ofContainer({status, metadata}: V1Pod): Diagnosis | undefined {
  const [container] = status?.containerStatuses ?? [];
  const {waiting} = container?.state ?? {};
  if (pulls.has(waiting?.reason)) {
    return final(
      `the node cannot pull the image \`${container?.image}\` (\`${oneLine(waiting?.message ?? waiting?.reason)}\`)`,
      {
        help: 'push the image to a registry that the nodes reach, and name it in `security.sandbox.backends.kubernetes.image`',
      },
    );
  }
  if (settings.has(waiting?.reason)) {
    return final(`the container of Pod \`${metadata?.name}\` cannot start (\`${oneLine(waiting?.message)}\`)`, {
      help: 'use an image that contains `/bin/sh` and Node, and a RuntimeClass that the nodes have',
    });
  }
  return ofEnd(container);
}

function ofEnd(container: V1ContainerStatus | undefined): Diagnosis | undefined {
  const ended = container?.state?.terminated;
  if (ended?.reason === 'OOMKilled') {
    return final('the container of the call ran out of memory', {
      help: 'raise `memory_bytes` in the limits of the tool',
    });
  }
  if (ended === undefined || ended.exitCode === 0) return undefined;
  return final(
    `the container of the call ended with exit code ${ended.exitCode}${ended.message ? ` (\`${oneLine(ended.message)}\`)` : ''}`,
    {help: 'use an image that contains `/bin/sh` and Node for numeric users'},
  );
}

const lost: ReadonlySet<string | undefined> = new Set(['NodeLost', 'Shutdown', 'NodeShutdown', 'Terminated']);

function ofPod({status, spec}: V1Pod): Diagnosis | undefined {
  if (status?.reason === 'Evicted') {
    return final(`the node \`${spec?.nodeName}\` evicted the Pod of the call (\`${oneLine(status.message)}\`)`, {
      help: 'lower what the call writes, or give the node more disk and memory',
    });
  }
  if (lost.has(status?.reason)) {
    return final(`the cluster lost the node \`${spec?.nodeName}\` of the call`, {
      help: 'run `kubectl get nodes`, and retry the call',
    });
  }
  if (status?.reason === 'DeadlineExceeded') {
    return final('the Pod of the call reached its deadline', {help: 'split the call into shorter ones'});
  }
  return ofScheduling(status);
}

function ofScheduling(status: V1PodStatus | undefined): Diagnosis | undefined {
  const scheduled = status?.conditions?.find(({type}) => type === 'PodScheduled');
  if (scheduled?.status !== 'False') return undefined;
  // Nodes may become free, or be added.
  return {
    isFinal: false,
    problem: {
      message: `no node of the cluster accepts the Pod of the call (\`${oneLine(scheduled.message)}\`)`,
      help: 'add nodes, lower the limits of the tool, or correct `security.sandbox.backends.kubernetes.node_selector`',
    },
  };
}

function final(message: string, {help}: {readonly help: string}): Diagnosis {
  return {isFinal: true, problem: {message, help}};
}

function oneLine(text: string | undefined): string {
  return (text ?? '').trim().split('\n')[0] ?? '';
}
