// Reads how a workspace's calls write without starting a host, for the doctor, which must work where a host cannot start.
import {toolWrites, type CompiledWorkspace, type RegisteredTool} from '@lumenflow/kernel';
import {requiredTiers} from '@lumenflow/kernel/adapters';
import type {SandboxBackendName, SandboxBackendOptions, SecurityTier, WorkspaceSpec} from '@lumenflow/schemas';
import {withLoadedWorkspace} from '../../loading/with-loaded-workspace.ts';

export interface WorkspaceWrites {
  /** The value of `security.sandbox`; undefined if it is not set or workspace.yaml cannot be read. */
  readonly backend?: SandboxBackendName | readonly SandboxBackendName[];
  readonly options?: SandboxBackendOptions;
  /** Tiers that the workspace or a lane requires, except `dev`, which requires nothing. */
  readonly tiers: readonly SecurityTier[];
  /** Tools whose calls write directly in some lane; undefined if the workspace cannot be loaded. */
  direct(hasViews: boolean): readonly string[] | undefined;
}

export async function readWorkspaceWrites(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<WorkspaceWrites> {
  return await withLoadedWorkspace({workspaceRoot: root, env}, (loaded) => {
    if (!loaded.ok) return {tiers: [], direct: () => undefined};
    const {source, workspace} = loaded.value;
    const {backend, backends: options} = source.spec.security.sandbox ?? {};
    return {
      ...(backend && {backend}),
      ...(options && {options}),
      tiers: tiersOf(source.spec),
      direct: (hasViews) => directTools(workspace, hasViews),
    };
  });
}

function tiersOf(spec: WorkspaceSpec): readonly SecurityTier[] {
  const all = requiredTiers(spec).map(({choice}) => choice.security_tier);
  return [...new Set(all)].filter((tier) => tier !== undefined && tier !== 'dev');
}

function directTools(workspace: CompiledWorkspace, hasViews: boolean): readonly string[] {
  const lanes = [...workspace.lanes.values()];
  const isDirect = (tool: RegisteredTool): boolean =>
    tool.scopes.write.length > 0 && lanes.some((lane) => toolWrites(workspace, tool, {hasViews, lane}) === 'direct');
  return [...workspace.tools.values()].filter(isDirect).map(({name}) => name);
}
