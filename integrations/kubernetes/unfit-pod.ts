// Why a Pod that waited in a pool cannot run a call: its template is somebody's file, so it is not trusted to be as the docs say.
import type {V1Capabilities, V1Container, V1Pod, V1PodSpec} from '@kubernetes/client-node';
import type {SandboxProblem} from '@lumenflow/sandbox/backends';
import type {PodOrder} from './pod-source.ts';

/** Undefined if it can. */
export function unfitPod({spec}: V1Pod, {fileRoots}: Pick<PodOrder, 'fileRoots'>): SandboxProblem | undefined {
  const weakness = spec === undefined ? 'it has no spec' : weaknessOf(spec);
  if (weakness !== undefined) {
    return {
      message: `the Pods of the warm pool do not confine calls: ${weakness}`,
      help: 'use the template in the manifests of `@lumenflow/integration-kubernetes`',
    };
  }
  const mounts = spec?.containers[0]?.volumeMounts?.map(({mountPath}) => mountPath) ?? [];
  const missing = fileRoots.find((root) => !mounts.some((path) => root === path || root.startsWith(`${path}/`)));
  if (missing === undefined) return undefined;
  return {
    message: `the Pods of the warm pool have no volume at \`${missing}\`, where files of the call belong`,
    help: `add an emptyDir at \`${missing}\` to the SandboxTemplate, or use \`image\` in place of \`warm_pool\``,
  };
}

type Fault = readonly [isMet: boolean, text: string];

function weaknessOf(spec: V1PodSpec): string | undefined {
  const [container] = spec.containers;
  const faults = [...faultsOfPod(spec), ...(container === undefined ? [] : faultsOfContainer(container, spec))];
  return faults.find(([isMet]) => isMet)?.[1];
}

function faultsOfPod(spec: V1PodSpec): readonly Fault[] {
  const {hostNetwork, hostPID, hostIPC, containers, initContainers = [], volumes = []} = spec;
  return [
    [containers.length + initContainers.length !== 1, 'they do not have exactly one container'],
    [[hostNetwork, hostPID, hostIPC].includes(true), 'they use namespaces of the node'],
    [spec.automountServiceAccountToken !== false, '`automountServiceAccountToken` is not false'],
    [volumes.some(({emptyDir}) => emptyDir === undefined), 'they have a volume that is not an emptyDir'],
  ];
}

function faultsOfContainer({securityContext: own, resources}: V1Container, pod: V1PodSpec): readonly Fault[] {
  const runAsNonRoot = own?.runAsNonRoot ?? pod.securityContext?.runAsNonRoot;
  const seccompProfile = own?.seccompProfile ?? pod.securityContext?.seccompProfile;
  return [
    [own?.privileged === true || own?.allowPrivilegeEscalation !== false, '`allowPrivilegeEscalation` is not false'],
    [own?.readOnlyRootFilesystem !== true, '`readOnlyRootFilesystem` is not true'],
    [dropsNotAll(own?.capabilities), 'they keep capabilities'],
    [runAsNonRoot !== true, '`runAsNonRoot` is not true'],
    [seccompProfile?.type !== 'RuntimeDefault', '`seccompProfile` is not RuntimeDefault'],
    [resources?.limits?.['memory'] === undefined, 'they have no limit of memory'],
  ];
}

function dropsNotAll(capabilities: V1Capabilities | undefined): boolean {
  return capabilities?.drop?.includes('ALL') !== true || capabilities.add !== undefined;
}
