// Scopes that cannot be intersected within bounds are found where they are written, so that no call meets them.
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import {grantScopes, type ScopeDenial, type ScopeLayer, type WorkBudget} from '../scopes/index.ts';
import type {CompiledWorkspace} from './compiled-workspace.ts';

interface Intersected {
  readonly lane: ScopeLayer;
  readonly task: ScopeLayer;
  /** By the names of tools for which the task has another layer. */
  readonly taskOf?: ReadonlyMap<string, ScopeLayer>;
  /** For all tools together; by default each has its own. */
  readonly budget?: WorkBudget | undefined;
}

/** The tools, including their variants by input, whose scopes cannot be granted within these layers. */
export function* tooComplexGrants(
  {scopes, holes, tools}: Pick<CompiledWorkspace, 'scopes' | 'holes' | 'tools'>,
  {lane, task, taskOf, budget}: Intersected,
): Iterable<{readonly tool: RegisteredTool; readonly denial: ScopeDenial}> {
  for (const tool of [...tools.values()].flatMap(withItsVariants)) {
    const granted = grantScopes({layers: [scopes, lane, taskOf?.get(tool.name) ?? task, tool.scopes], holes, budget});
    if (!granted.ok && granted.problem.reason === 'too_complex') yield {tool, denial: granted.problem};
  }
}

function withItsVariants(tool: RegisteredTool): readonly RegisteredTool[] {
  return [tool, ...(tool.by_input?.variants.values() ?? [])];
}
