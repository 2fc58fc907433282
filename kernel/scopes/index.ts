// What other parts of the kernel and its adapters use of scopes.
export {parsePattern} from './parse-pattern.ts';
export type {PathPattern} from './path-pattern.ts';
export {normalizePath} from './normalize-path.ts';
export {compileMatcher} from './match-path.ts';
export type {PathMatcher} from './match-path.ts';
export {intersectPatterns, reducePatterns} from './intersect-patterns.ts';
export {parseNetworkEntry} from './network-entry.ts';
export {isNetworkTargetAllowed} from './network-reach.ts';
export type {NetworkReach} from './network-reach.ts';
export {compileScopeLayer, unrestrictedLayer} from './scope-layer.ts';
export type {ScopeLayer, ScopeLayerName} from './scope-layer.ts';
export {compileHoles, reservedPath} from './holes.ts';
export type {Holes} from './holes.ts';
export {explainPath} from './explain-path.ts';
export type {PathRefusal} from './explain-path.ts';
export type {Grant} from './grant.ts';
export {grantScopes, isScopeDenial} from './grant-scopes.ts';
export type {ScopeDenial} from './scope-denial.ts';
