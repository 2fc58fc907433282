// How the writes of a call reach the workspace: as a change set after the call has succeeded, or directly. Direct writes need two
// agreements: the tool declares them, and the workspace or the lane allows them. If the sandbox has no views, the workspace's
// agreement is enough, because the tool could not write otherwise.
import type {Writes} from '@lumenflow/schemas';
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import type {CompiledLane, CompiledWorkspace} from '../workspace/compiled-workspace.ts';
import type {NarrowedCall} from './call.ts';

type WritingCall = Pick<NarrowedCall, 'tool' | 'lane' | 'scope_enforced' | 'request'>;

export function writesOf(
  workspace: CompiledWorkspace,
  {tool, lane, scope_enforced, request}: WritingCall,
  hasViews: boolean,
): Writes {
  // It works in its caller's view, reads included.
  if (request.parent?.writes === 'transactional') return 'transactional';
  return scope_enforced.write.length === 0 ? 'direct' : toolWrites(workspace, tool, {lane, hasViews});
}

export interface WriteCircumstances {
  /** Without it: in lanes that say nothing about it. */
  readonly lane?: CompiledLane;
  /** Whether what a call writes can be kept in a private view; see `Dispatcher.hasViews`. */
  readonly hasViews: boolean;
}

/** Of a tool's calls that may write. */
export function toolWrites(
  workspace: CompiledWorkspace,
  {name, declaration}: RegisteredTool,
  {lane, hasViews}: WriteCircumstances,
): Writes {
  const declared = [declaration.writes, lane?.spec.writes];
  if (declared.includes('transactional')) return 'transactional';
  const agreed = lane?.spec.writes === 'direct' || workspace.agreesToDirectWrites(name);
  return agreed && (declaration.writes === 'direct' || !hasViews) ? 'direct' : 'transactional';
}
