// A workspace and its packs, checked and compiled. Every call looks things up in it; nothing changes it.
import type {LaneSpec, LooseningLayerName, RenamedTool, WorkspaceSpec} from '@lumenflow/schemas';
import type {LoadedPack, RegisteredTool} from '../packs/loaded-pack.ts';
import type {CompiledLayer} from '../policy/index.ts';
import type {Holes, ScopeLayer} from '../scopes/index.ts';
import type {WithheldTool} from './withheld-tools.ts';

export interface CompiledLane {
  readonly spec: LaneSpec;
  readonly scopes: ScopeLayer;
  readonly policy: CompiledLayer;
  /** Whether agents in the lane see the tool in lists. Not a permission. */
  offers(tool: RegisteredTool): boolean;
}

export interface CompiledWorkspace {
  readonly spec: WorkspaceSpec;
  readonly scopes: ScopeLayer;
  readonly holes: Holes;
  /** Workspace-relative patterns of trusted paths, in addition to those that programs obey everywhere. */
  readonly trustedPaths: readonly string[];
  readonly policy: CompiledLayer;
  readonly allowLoosening: readonly LooseningLayerName[];
  readonly lanes: ReadonlyMap<string, CompiledLane>;
  readonly packs: ReadonlyMap<string, LoadedPack>;
  readonly tools: ReadonlyMap<string, RegisteredTool>;
  /** By name: why agents are not offered a tool. */
  readonly withheld: ReadonlyMap<string, WithheldTool>;
  /** By former name. */
  readonly renamed: ReadonlyMap<string, RenamedTool>;
  /** By task type: the pack that declares it, whose rules govern tasks of the type. */
  readonly packOfTaskType: ReadonlyMap<string, LoadedPack>;
  /** Whether a tool that declares direct writes has them in every lane. */
  agreesToDirectWrites(toolName: string): boolean;
  /** The rules of one pack, or of a tool's pack together with those of the task type's pack. */
  packPolicy(packs: readonly LoadedPack[]): CompiledLayer;
}
