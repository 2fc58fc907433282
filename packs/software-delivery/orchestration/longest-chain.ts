// The number of units in the longest chain of dependents. Valid specs contain no cycles; a cycle is cut where it closes.
import {dependencyGraph, followersOf, type DependencyGraph} from '../dependencies/dependency-graph.ts';

export interface ChainUnit {
  readonly id: string;
  readonly depends_on: readonly string[];
}

/** For each unit, the length of the longest chain that starts with it, including the unit. */
export function chainLengths(units: readonly ChainUnit[]): ReadonlyMap<string, number> {
  const followers = followersOf(dependencyGraph(units));
  const lengths = new Map<string, number>();
  for (const {id} of units) measure(id, followers, lengths);
  return lengths;
}

/** One of the longest chains, first to last. Ties are decided by the order of `units`. */
export function longestChain(units: readonly ChainUnit[], lengths: ReadonlyMap<string, number>): readonly string[] {
  const followers = followersOf(dependencyGraph(units));
  const longest = (ids: readonly string[]): string | undefined =>
    ids.reduce<string | undefined>(
      (best, id) => (best !== undefined && (lengths.get(best) ?? 0) >= (lengths.get(id) ?? 0) ? best : id),
      undefined,
    );
  const chain = new Set<string>();
  let next = longest(units.map(({id}) => id));
  while (next !== undefined && !chain.has(next)) {
    chain.add(next);
    next = longest(followers.get(next) ?? []);
  }
  return [...chain];
}

/** Uses its own stack, because a chain can be longer than the call stack allows. */
function measure(start: string, followers: DependencyGraph, lengths: Map<string, number>): void {
  const stack = [start];
  const entered = new Set<string>();
  for (let id = stack.at(-1); id !== undefined; id = stack.at(-1)) {
    const after = followers.get(id) ?? [];
    const unmeasured = after.filter((next) => !lengths.has(next) && !entered.has(next));
    if (lengths.has(id) || (entered.has(id) && unmeasured.length === 0)) {
      stack.pop();
      if (!lengths.has(id)) lengths.set(id, 1 + Math.max(0, ...after.map((next) => lengths.get(next) ?? 0)));
    } else {
      entered.add(id);
      stack.push(...unmeasured);
    }
  }
}
