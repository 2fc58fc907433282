// What one call may touch: the exact intersection of its layers, less the holes.
import type {GrantedScopes, PathAccess} from '@lumenflow/schemas';
import {explainPath, type PathRefusal} from './explain-path.ts';
import type {Holes} from './holes.ts';
import {compileMatcher} from './path-matcher.ts';
import type {NetworkReach} from './network-reach.ts';
import {normalizePath} from './normalize-path.ts';
import type {PathPattern} from './path-pattern.ts';
import type {ScopeLayer} from './scope-layer.ts';

export interface Grant {
  /** Canonical. Covers all of `write` too. */
  readonly read: readonly PathPattern[];
  readonly write: readonly PathPattern[];
  readonly network: NetworkReach;
  readonly holes: Holes;
  /** Whether a path, in any notation relative to the workspace root, may be accessed. */
  allows(path: string, access: PathAccess): boolean;
  /** Why a path may not be accessed; undefined when it may. Slower than `allows`: for messages. */
  whyNot(path: string, access: PathAccess): PathRefusal | undefined;
  /** As evidence and handlers see it. It omits the holes, which apply to every call. */
  toGrantedScopes(): GrantedScopes;
}

export type GrantParts = Pick<Grant, 'read' | 'write' | 'network' | 'holes'>;

/** `layers` are those that the parts are the intersection of. */
export function createGrant(parts: GrantParts, layers: readonly ScopeLayer[]): Grant {
  const {read, write, network, holes} = parts;
  // Frozen, since it is handed out for every call.
  const scopes: GrantedScopes = Object.freeze({
    read: frozenList(read.map((pattern) => pattern.text)),
    write: frozenList(write.map((pattern) => pattern.text)),
    network: Object.freeze({posture: network.posture, allowlist_entries: frozenList(network.allowlist_entries)}),
  });
  const matchers = {read: compileMatcher(read), write: compileMatcher(write)};
  return {
    ...parts,
    allows(path, access) {
      const normalized = normalizePath(path);
      return normalized !== undefined && matchers[access](normalized) && !holes.cuts(normalized);
    },
    whyNot: (path, access) => explainPath({layers, holes}, path, access),
    toGrantedScopes: () => scopes,
  };
}

/** As the generated types know a list. */
function frozenList(texts: readonly string[]): string[] {
  return Object.freeze([...texts]) as string[];
}
