// Renders the scopes of each layer side by side. A call gets their intersection.
import type {CompiledWorkspace, RegisteredTool, ScopeLayer} from '@lumenflow/kernel';
import type {Scope} from '@lumenflow/schemas';
import type {ListingContext} from '../call-commands/listing-context.ts';

export interface ScopeLayerView {
  readonly layer: 'workspace' | 'lane' | 'task' | 'tool';
  /** `file:line:column`, or the task. */
  readonly where: string;
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly network: string;
}

/** Omits a task without declared scopes, which inherits the scopes of its lane. */
export function scopeLayersOf(
  workspace: CompiledWorkspace,
  tool: RegisteredTool,
  {lane, task}: Pick<ListingContext, 'lane' | 'task'>,
): readonly ScopeLayerView[] {
  return [
    viewOf('workspace', workspace.scopes),
    ...(lane ? [viewOf('lane', lane.scopes)] : []),
    ...(task?.spec.declared_scopes ? [taskView(task.task_id, task.spec.declared_scopes)] : []),
    viewOf('tool', tool.scopes),
  ];
}

function viewOf(layer: ScopeLayerView['layer'], {where, read, write, network}: ScopeLayer): ScopeLayerView {
  return {
    layer,
    where,
    read: read.map(({text}) => text),
    write: write.map(({text}) => text),
    network: [network.posture, ...network.allowlist_entries].join(' '),
  };
}

function taskView(taskId: string, scopes: readonly Scope[]): ScopeLayerView {
  const patterns = (kinds: readonly string[]): readonly string[] =>
    scopes.flatMap((scope) => (scope.type === 'path' && kinds.includes(scope.access) ? [scope.pattern] : []));
  const network = scopes.find((scope) => scope.type === 'network');
  return {
    layer: 'task',
    where: `task ${taskId}`,
    read: patterns(['read', 'write']),
    write: patterns(['write']),
    network:
      network?.type === 'network'
        ? [network.posture, ...(network.allowlist_entries ?? [])].join(' ')
        : 'same as its lane',
  };
}
