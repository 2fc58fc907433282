// Narrows a tool's declared scopes by every layer around it. They are both its need and its ceiling. Each path scope must keep at least
// one path, and the network at least one target. Otherwise the call is denied, with the name of the layer that removed the last
// one. It is pure, so a caller may cache the result per task and tool.
import type {PathAccess} from '@lumenflow/schemas';
import {failed, ok, type Outcome} from '../outcome.ts';
import {createGrant} from './grant.ts';
import type {Grant} from './grant.ts';
import type {Holes} from './holes.ts';
import {intersectPatterns, reducePatterns} from './intersect-patterns.ts';
import {intersectReach, networkFull, networkOff} from './network-reach.ts';
import type {NetworkReach} from './network-reach.ts';
import {endsInName} from './path-pattern.ts';
import type {PathPattern} from './path-pattern.ts';
import {deniedAsTooComplex, deniedInHole, deniedNetwork, deniedPath} from './scope-denial.ts';
import type {Blamed, ScopeDenial} from './scope-denial.ts';
import type {DeclaredPathScope, ScopeLayer} from './scope-layer.ts';
import {workBudget} from './work-budget.ts';
import type {WorkBudget} from './work-budget.ts';

export interface GrantSources {
  /** In the order workspace, lane, task, tool. Without a tool nothing is asked for, and nothing is granted. */
  readonly layers: readonly ScopeLayer[];
  readonly holes: Holes;
  /** By default one that is small enough for a call. */
  readonly budget?: WorkBudget | undefined;
}

export function grantScopes({layers, holes, budget = workBudget()}: GrantSources): Outcome<Grant, ScopeDenial> {
  const tool = layers.find((layer) => layer.name === 'tool');
  if (tool === undefined) return ok(createGrant({read: [], write: [], network: networkOff, holes}, layers));
  const outer = layers.filter((layer) => layer !== tool);
  const granted: Record<PathAccess, PathPattern[]> = {read: [], write: []};
  const named: PathPattern[] = [];
  const writeIsRead = outer.every((layer) => layer.read === layer.write);
  for (const scope of tool.paths) {
    const kept = narrowPath(scope, scope.access, {outer, holes, budget});
    if (!kept.ok) return kept;
    granted[scope.access].push(...kept.value);
    if (scope.access === 'read') continue;
    if (scope.patterns.every(endsInName)) named.push(...kept.value.filter(endsInName));
    const readable = writeIsRead ? kept : narrowPath(scope, 'read', {outer, holes, budget});
    if (!readable.ok) return readable;
    granted.read.push(...readable.value);
  }
  const network = narrowNetwork(tool, outer);
  if (!network.ok) return network;
  const read = reducePatterns(granted.read, budget);
  const write = reducePatterns(granted.write, budget);
  if (read === 'too_complex') return failed(deniedAsTooComplex('read', tool));
  if (write === 'too_complex') return failed(deniedAsTooComplex('write', tool));
  return ok(createGrant({read, write: withNamed(write, named), network: network.value, holes}, layers));
}

/** What the tool names stays beside a wildcard that covers it: what programs outside a sandbox obey must be named to be written. */
function withNamed(write: readonly PathPattern[], named: readonly PathPattern[]): readonly PathPattern[] {
  const lost = named.filter(({text}) => !write.some((pattern) => pattern.text === text));
  return lost.length === 0 ? write : [...write, ...lost].toSorted((a, b) => (a.text < b.text ? -1 : 1));
}

interface Surroundings {
  readonly outer: readonly ScopeLayer[];
  readonly holes: Holes;
  readonly budget: WorkBudget;
}

type Narrowed = Outcome<readonly PathPattern[], ScopeDenial>;

/** What the layers leave of one scope: at least one pattern, none of them wholly in a hole. */
function narrowPath(scope: DeclaredPathScope, access: PathAccess, {outer, holes, budget}: Surroundings): Narrowed {
  const open = (patterns: readonly PathPattern[], layer: Blamed): Narrowed => {
    const kept = patterns.filter((pattern) => holes.holeAround(pattern) === undefined);
    const hole = kept.length === 0 && patterns[0] !== undefined ? holes.holeAround(patterns[0]) : undefined;
    if (hole !== undefined) return failed(deniedInHole(scope, access, layer, hole));
    return kept.length === 0 ? failed(deniedPath(scope, access, layer)) : ok(kept);
  };
  let kept = open(scope.patterns, {name: 'tool', where: scope.where});
  for (const layer of outer) {
    if (!kept.ok) break;
    const met = intersectPatterns(kept.value, layer[access], budget);
    kept = met === 'too_complex' ? failed(deniedAsTooComplex(access, layer)) : open(met, layer);
  }
  return kept;
}

function narrowNetwork(tool: ScopeLayer, outer: readonly ScopeLayer[]): Outcome<NetworkReach, ScopeDenial> {
  const required = tool.networkWhere !== undefined && tool.network.posture !== 'off';
  let reach = tool.network;
  for (const layer of outer) {
    reach = intersectReach(reach, layer.network);
    if (required && reach.posture === 'off') return failed(deniedNetwork(tool, layer));
  }
  // Beside the whole network nothing opens single addresses of the host.
  return ok(reach.posture === 'full' ? networkFull : reach);
}
