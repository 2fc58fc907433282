// The grants of a workspace, computed once for each task and tool: a call looks its own up.
import {grantsMax} from './limits.ts';
import type {RegisteredTool} from './packs/loaded-pack.ts';
import {grantScopes, type Grant, type Holes, type ScopeDenial, type ScopeLayer} from './scopes/index.ts';
import type {CompiledTask} from './tasks/compiled-tasks.ts';

export interface Grants {
  /** `layers` are those of this task and this tool. */
  of(task: CompiledTask, tool: RegisteredTool, layers: readonly ScopeLayer[]): Grant | ScopeDenial;
}

export function createGrants(holes: Holes): Grants {
  const known = new Map<string, Map<RegisteredTool, Grant | ScopeDenial>>();
  let count = 0;
  return {
    of({key}, tool, layers) {
      const cached = known.get(key)?.get(tool);
      if (cached) return cached;
      if (count >= grantsMax) {
        known.clear();
        count = 0;
      }
      const granted = grantScopes({layers, holes});
      known.set(key, (known.get(key) ?? new Map<RegisteredTool, Grant | ScopeDenial>()).set(tool, granted));
      count += 1;
      return granted;
    },
  };
}
