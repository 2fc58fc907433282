// Reads how a workspace's calls write without starting a host, for the doctor, which must work where a host cannot start.
import {toolWrites, type CompiledWorkspace, type RegisteredTool} from '@lumenflow/kernel';
import {compileWorkspace, sandboxChoice} from '@lumenflow/kernel/adapters';
import {compileRegex, createSchemaCompiler, readWorkspace} from '@lumenflow/kernel/node';
import type {SandboxBackendName, SandboxBackendOptions, SecurityTier, WorkspaceSpec} from '@lumenflow/schemas';
import {createPackSource} from '../../packs/pack-source.ts';
import {version} from '../../version.ts';

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
  const outcome = await readWorkspace({root, env});
  if (!outcome.ok) return {tiers: [], direct: () => undefined};
  const read = outcome.value;
  const {backend, backends: options} = read.spec.security.sandbox ?? {};
  const packs = createPackSource({workspaceRoot: root, lumenflowVersion: version});
  try {
    const configs = Object.fromEntries(read.extraKeys.map(({key, value}) => [key, value]));
    const loaded = await packs.load({pins: read.spec.packs, configs, locate: read.locate});
    const {workspace} = compileWorkspace(
      {...read, packs: loaded.packs},
      {compileRegex, monotonic: () => performance.now(), compileSchema: createSchemaCompiler().compileLater},
    );
    return {
      ...(backend && {backend}),
      ...(options && {options}),
      tiers: requiredTiers(read.spec),
      direct: (hasViews) => directTools(workspace, hasViews),
    };
  } finally {
    packs.close();
  }
}

function requiredTiers(spec: WorkspaceSpec): readonly SecurityTier[] {
  const all = [undefined, ...spec.lanes].map((lane) => sandboxChoice(spec, lane).security_tier);
  return [...new Set(all)].filter((tier) => tier !== undefined && tier !== 'dev');
}

function directTools(workspace: CompiledWorkspace, hasViews: boolean): readonly string[] {
  const lanes = [...workspace.lanes.values()];
  const isDirect = (tool: RegisteredTool): boolean =>
    tool.scopes.write.length > 0 && lanes.some((lane) => toolWrites(workspace, tool, {hasViews, lane}) === 'direct');
  return [...workspace.tools.values()].filter(isDirect).map(({name}) => name);
}
