// How a call writes: tool, lane and workspace decide. A call whose changes are checked before they are applied is always
// transactional: a rule of on_changes governs it, or it is a dry run.
import type {Writes} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import type {CompiledLane} from '../workspace/compiled-workspace.ts';
import {sandboxChoice} from '../workspace/sandbox-choice.ts';
import type {NarrowedCall} from './call.ts';
import {mayJudgeChanges} from './decide-changes.ts';
import {onlyMakesCalls} from './only-makes-calls.ts';
import {toolWrites, writesOf} from './write-mode.ts';

export function callWrites(kernel: Kernel, call: NarrowedCall): Writes {
  // The calls that it makes have files.
  if (onlyMakesCalls(call.tool)) return 'direct';
  const mayWrite = call.scope_enforced.write.length > 0;
  // Most calls only read; asking the dispatcher is not for them.
  const writes = writesOf(agreement(kernel), call, !mayWrite || hasViews(kernel, call.lane));
  if (writes === 'transactional' || !mayWrite) return writes;
  return call.request.context.dry_run === true || mayJudgeChanges(kernel, call) ? 'transactional' : writes;
}

/** How calls of a tool that may write do so, in lanes that say nothing about it. */
export function usualWrites(kernel: Kernel, tool: RegisteredTool): Writes {
  return toolWrites(agreement(kernel), tool, {hasViews: hasViews(kernel)});
}

/** The workspace, whose agreement to direct writes the dispatcher can replace. */
function agreement({ports: {dispatcher}, workspace}: Kernel): Kernel['workspace'] {
  return dispatcher.agreesToDirectWrites === true ? {...workspace, agreesToDirectWrites: () => true} : workspace;
}

/** Whether the sandbox that workspace and lane ask for can keep writes in a private view. */
function hasViews({ports: {dispatcher}, workspace}: Kernel, lane?: CompiledLane): boolean {
  return dispatcher.hasViews?.(sandboxChoice(workspace.spec, lane?.spec)) ?? true;
}
