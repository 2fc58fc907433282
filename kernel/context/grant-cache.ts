// The grants of a workspace, computed once for each task, tool and way of calls that leads to it: a call looks its own up.
import {grantsMax} from '../limits.ts';
import type {Outcome} from '../outcome.ts';
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import {grantScopes, type Grant, type Holes, type ScopeDenial, type ScopeLayer} from '../scopes/index.ts';
import type {CompiledTask} from '../tasks/compiled-tasks.ts';

export interface GrantCache {
  /** `layers` are those of this task, its callers and this tool, which comes last. */
  of(task: CompiledTask, tool: RegisteredTool, layers: readonly ScopeLayer[]): Answer;
}

type Answer = Outcome<Grant, ScopeDenial>;
/** By the innermost caller's layer, which names those further out; by the tool itself for a call from outside. */
type ByCaller = Map<ScopeLayer | RegisteredTool, Answer>;

export function createGrantCache(holes: Holes): GrantCache {
  const known = new Map<string, Map<RegisteredTool, ByCaller>>();
  let count = 0;
  return {
    of({key}, tool, layers) {
      const innermost = layers.at(-2);
      const caller = innermost?.name === 'caller' ? innermost : tool;
      const cached = known.get(key)?.get(tool)?.get(caller);
      if (cached) return cached;
      if (count >= grantsMax) {
        known.clear();
        count = 0;
      }
      const granted = grantScopes({layers, holes});
      const ofTask = known.get(key) ?? new Map<RegisteredTool, ByCaller>();
      known.set(key, ofTask.set(tool, (ofTask.get(tool) ?? new Map<never, Answer>()).set(caller, granted)));
      count += 1;
      return granted;
    },
  };
}
