// Dependencies of work units. `depends_on` of one spec and `blocks` of another mean the same.
export interface Linked {
  readonly id: string;
  readonly depends_on?: readonly string[];
  readonly blocks?: readonly string[];
}

/** For each id, the ids that it depends on, in the order of the specs. */
export type DependencyGraph = ReadonlyMap<string, readonly string[]>;

export function dependencyGraph(units: Iterable<Linked>): DependencyGraph {
  const graph = new Map<string, string[]>();
  const add = (id: string, dependency: string): void => {
    const known = graph.get(id);
    if (known === undefined) graph.set(id, [dependency]);
    else if (!known.includes(dependency)) known.push(dependency);
  };
  for (const {id, depends_on: dependencies = [], blocks = []} of units) {
    if (!graph.has(id)) graph.set(id, []);
    for (const dependency of dependencies) add(id, dependency);
    for (const blocked of blocks) add(blocked, id);
  }
  return graph;
}

/** The same for single ids, without the whole graph, because few specs use `blocks`. */
export function dependenciesAmong(
  units: Readonly<Record<string, {readonly spec: Linked}>>,
): (id: string) => readonly string[] {
  const blockers = new Map<string, string[]>();
  for (const id in units) {
    for (const blocked of units[id]?.spec.blocks ?? []) {
      const known = blockers.get(blocked);
      if (known === undefined) blockers.set(blocked, [id]);
      else known.push(id);
    }
  }
  return (id) => [...new Set([...(units[id]?.spec.depends_on ?? []), ...(blockers.get(id) ?? [])])];
}

/** One cycle through `start`, which is first and last; undefined if there is none. */
export function findCycle(graph: DependencyGraph, start: string): readonly string[] | undefined {
  // The predecessor of each visited id, for the way back.
  const reachedFrom = new Map<string, string>();
  const open = [start];
  for (let id = open.shift(); id !== undefined; id = open.shift()) {
    for (const next of graph.get(id) ?? []) {
      if (next === start) return wayBack(reachedFrom, start, id);
      if (reachedFrom.has(next)) continue;
      reachedFrom.set(next, id);
      open.push(next);
    }
  }
  return undefined;
}

function wayBack(reachedFrom: ReadonlyMap<string, string>, start: string, last: string): readonly string[] {
  const way = [start];
  for (let id: string | undefined = last; id !== undefined && id !== start; id = reachedFrom.get(id)) way.unshift(id);
  return [start, ...way];
}

/** The ids connected to `id`: all direct and indirect dependencies and dependents. */
export function around(graph: DependencyGraph, id: string): ReadonlySet<string> {
  return new Set([...reach(graph, id), ...reach(followersOf(graph), id)]);
}

/** For each id, the ids that depend on it. */
export function followersOf(graph: DependencyGraph): DependencyGraph {
  const followers = new Map<string, string[]>([...graph.keys()].map((id) => [id, []]));
  for (const [id, dependencies] of graph) for (const dependency of dependencies) followers.get(dependency)?.push(id);
  return followers;
}

function reach(graph: DependencyGraph, start: string): ReadonlySet<string> {
  const reached = new Set([start]);
  // A set also yields elements that are added during its iteration.
  for (const id of reached) for (const next of graph.get(id) ?? []) reached.add(next);
  return reached;
}
