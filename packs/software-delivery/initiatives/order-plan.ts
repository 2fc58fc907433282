// Sorts the work units of a plan for creation: dependencies first.
import {ToolError} from '@lumenflow/pack-sdk';
import {dependencyGraph, findCycle} from '../dependencies/dependency-graph.ts';

export interface PlannedWu {
  /** Identifies it within the plan, also when the plan runs again. */
  readonly key: string;
  /** Keys of the plan, or ids of work units. */
  readonly depends_on?: readonly string[];
}

/** Throws ToolError PLAN_KEY_TWICE, PLAN_KEY_UNKNOWN and PLAN_CYCLE. */
export function orderPlan<Wu extends PlannedWu>(wus: readonly Wu[], isWu: (id: string) => boolean): readonly Wu[] {
  const byKey = new Map(wus.map((wu) => [wu.key, wu]));
  const twice = wus.find((wu) => byKey.get(wu.key) !== wu);
  if (twice !== undefined) {
    throw new ToolError('PLAN_KEY_TWICE', `the plan uses the key \`${twice.key}\` twice`, {key: twice.key});
  }
  for (const {key, depends_on: dependencies = []} of wus) {
    const unknown = dependencies.find((dependency) => !byKey.has(dependency) && !isWu(dependency));
    if (unknown === undefined) continue;
    const message = `\`${key}\` depends on \`${unknown}\`, which is neither a key of the plan nor a work unit`;
    throw new ToolError('PLAN_KEY_UNKNOWN', message, {key, depends_on: unknown});
  }
  const ordered = new Map<string, Wu>();
  for (let left = wus; left.length > 0;) {
    const free = left.filter(({depends_on: dependencies = []}) =>
      dependencies.every((dependency) => !byKey.has(dependency) || ordered.has(dependency)),
    );
    if (free.length === 0) throw cycleIn(left);
    for (const wu of free) ordered.set(wu.key, wu);
    left = left.filter(({key}) => !ordered.has(key));
  }
  return [...ordered.values()];
}

function cycleIn(wus: readonly PlannedWu[]): ToolError {
  const graph = dependencyGraph(wus.map(({key, depends_on = []}) => ({id: key, depends_on})));
  const cycle = wus.map(({key}) => findCycle(graph, key)).find((found) => found !== undefined) ?? [];
  const message = `the plan has a dependency cycle: ${cycle.map((key) => `\`${key}\``).join(' depends on ')}`;
  return new ToolError('PLAN_CYCLE', message, {cycle});
}
