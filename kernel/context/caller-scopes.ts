// What a call leaves to the calls that it makes: its own grant, and what its tool's manifest says of each tool that it
// calls. Layers of callers further out stay in force, so no detour through another tool widens anything.
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import {reducePatterns, uniteReach, type Grant, type PathPattern, type ScopeLayer} from '../scopes/index.ts';

export interface CallerScopes {
  /** The layers of a nested call, from the outermost caller in. `grant`: of the call that makes it. */
  of(caller: RegisteredTool, grant: Grant, outer: readonly ScopeLayer[], callee: string): readonly ScopeLayer[];
}

/** The kernel caches grants, so it can cache their layers: the same chain of calls returns the same objects. */
export function createCallerScopes(): CallerScopes {
  const known = new WeakMap<Grant, Map<string, readonly ScopeLayer[]>>();
  return {
    of(caller, grant, outer, callee) {
      const ofGrant = known.get(grant) ?? new Map<string, readonly ScopeLayer[]>();
      known.set(grant, ofGrant);
      // Tools that the manifest does not speak of are all alike.
      const key = caller.calls?.has(callee) === true ? callee : '';
      const layers = ofGrant.get(key) ?? [...outer, callerLayer(caller, grant, caller.calls?.get(callee))];
      ofGrant.set(key, layers);
      return layers;
    },
  };
}

function callerLayer({name, where}: RegisteredTool, grant: Grant, declared: ScopeLayer | undefined): ScopeLayer {
  return {
    name: 'caller',
    where: declared?.where ?? where,
    caller: name,
    paths: [],
    read: united(grant.read, declared?.read),
    write: united(grant.write, declared?.write),
    network: declared?.networkWhere === undefined ? grant.network : uniteReach(grant.network, declared.network),
    networkWhere: declared?.networkWhere,
  };
}

function united(granted: readonly PathPattern[], declared: readonly PathPattern[] = []): readonly PathPattern[] {
  if (declared.length === 0) return granted;
  const all = [...granted, ...declared];
  const reduced = reducePatterns(all);
  return reduced === 'too_complex' ? all : reduced;
}
