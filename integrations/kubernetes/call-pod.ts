// The Pod of a call, and the Job around it. A Job has what a Pod lacks: the cluster removes it after its end, even if no host comes
// back. Nothing in the options can weaken the Pod.
import type {V1Job, V1PodSpec, V1VolumeMount} from '@kubernetes/client-node';
import {callLabel, ownerLabel, roleLabel} from './labels.ts';

export interface CallPod {
  readonly name: string;
  readonly namespace: string;
  readonly owner: string;
  readonly image: string;
  readonly runtimeClass?: string | undefined;
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  /** Numeric, of this call alone: limits of processes count by user. */
  readonly uid: number;
  readonly memoryBytes: number;
  /** Absolute: directories that the call's files are unpacked into. */
  readonly fileRoots: readonly string[];
  readonly fileBytes: number;
  readonly tmpBytes: number;
}

/** A host that is alive ends its calls itself: this ends those that it has lost. */
export const podSecondsMax: number = 6 * 60 * 60;
/** A finished Job remains readable this long, for its diagnosis. */
const finishedSeconds = 60;
/** Most calls need little: what is reserved for each decides how many a node takes. */
const cpuRequest = '50m';
const memoryRequestBytes = 128 * 1024 ** 2;
const diskRequest = '64Mi';
const cpuLimit = '2';
/** Of the logs and of what the runtime keeps for the container. */
const ownBytes = 64 * 1024 ** 2;
export const containerName: string = 'call';

/** Waits, reaps what the call leaves, and ends everything inside when the agent or the kubelet asks for it. */
const firstProcess = `trap 'exit 0' TERM; sleep ${podSecondsMax} & wait $!`;

export function callJob(call: CallPod): V1Job {
  const labels = {[ownerLabel]: call.owner, [callLabel]: call.name, [roleLabel]: 'call'};
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {name: call.name, namespace: call.namespace, labels},
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: podSecondsMax,
      ttlSecondsAfterFinished: finishedSeconds,
      template: {metadata: {labels}, spec: callPodSpec(call)},
    },
  };
}

export function callPodSpec(call: Omit<CallPod, 'name' | 'namespace' | 'owner'>): V1PodSpec {
  const {image, runtimeClass, nodeSelector, uid, memoryBytes, fileBytes, tmpBytes} = call;
  const disk = String(ownBytes + fileBytes + tmpBytes);
  const memory = String(memoryBytes);
  return {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    hostNetwork: false,
    hostPID: false,
    hostIPC: false,
    shareProcessNamespace: false,
    terminationGracePeriodSeconds: 1,
    activeDeadlineSeconds: podSecondsMax,
    // The names of the cluster are not for calls.
    dnsPolicy: 'None',
    dnsConfig: {nameservers: ['127.0.0.1']},
    ...(runtimeClass !== undefined && {runtimeClassName: runtimeClass}),
    ...(nodeSelector !== undefined && {nodeSelector: {...nodeSelector}}),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: uid,
      runAsGroup: uid,
      fsGroup: uid,
      seccompProfile: {type: 'RuntimeDefault'},
    },
    containers: [
      {
        name: containerName,
        image,
        imagePullPolicy: 'IfNotPresent',
        command: ['/bin/sh', '-c', firstProcess],
        workingDir: '/',
        securityContext: {
          allowPrivilegeEscalation: false,
          privileged: false,
          readOnlyRootFilesystem: true,
          runAsNonRoot: true,
          capabilities: {drop: ['ALL']},
        },
        resources: {
          requests: {
            cpu: cpuRequest,
            memory: String(Math.min(memoryRequestBytes, memoryBytes)),
            'ephemeral-storage': diskRequest,
          },
          limits: {cpu: cpuLimit, memory, 'ephemeral-storage': disk},
        },
        volumeMounts: mountsOf(call.fileRoots),
      },
    ],
    volumes: [
      {name: 'tmp', emptyDir: {sizeLimit: String(tmpBytes + fileBytes)}},
      {name: 'files', emptyDir: {sizeLimit: String(fileBytes + ownBytes)}},
    ],
  };
}

function mountsOf(fileRoots: readonly string[]): V1VolumeMount[] {
  return [
    {name: 'tmp', mountPath: '/tmp'},
    ...fileRoots.map((path) => ({name: 'files', mountPath: path, subPath: path.slice(1)})),
  ];
}
