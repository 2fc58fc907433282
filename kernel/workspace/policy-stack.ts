// The four layers that decide for one task: workspace, lane, the packs concerned, the task.
import type {TaskSpec} from '@lumenflow/schemas';
import type {LoadedPack} from '../packs/loaded-pack.ts';
import type {CompiledLayer, PolicyLayers} from '../policy/index.ts';
import type {CompiledLane, CompiledWorkspace} from './compiled-workspace.ts';

/** A pack's rules govern its tools, and every call and transition in tasks of its types. */
export function policyStack(
  workspace: CompiledWorkspace,
  lane: CompiledLane,
  task: {readonly spec: TaskSpec; readonly policy?: CompiledLayer},
  toolPack?: LoadedPack,
): PolicyLayers {
  const typePack = task.spec.type === undefined ? undefined : workspace.packOfTaskType.get(task.spec.type);
  const packs = [toolPack, typePack === toolPack ? undefined : typePack].filter((pack) => pack !== undefined);
  return {
    workspace: workspace.policy,
    lane: lane.policy,
    ...(packs.length > 0 && {pack: workspace.packPolicy(packs)}),
    task: task.policy,
  };
}
