// The grants of a workspace, computed once for each task and tool: a call looks its own up.
import {createBoundedMap} from './bounded-map.ts';
import {grantsMax} from './limits.ts';
import {grantScopes, type Grant, type Holes, type ScopeDenial, type ScopeLayer} from './scopes/index.ts';

export interface Grants {
  of(key: string, layers: readonly ScopeLayer[]): Grant | ScopeDenial;
}

export function createGrants(holes: Holes): Grants {
  const known = createBoundedMap<Grant | ScopeDenial>(grantsMax);
  return {
    of(key, layers) {
      const cached = known.get(key);
      if (cached) return cached;
      const granted = grantScopes({layers, holes});
      known.set(key, granted);
      return granted;
    },
  };
}
