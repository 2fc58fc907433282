// Checks that a spec's dependencies exist and can all be completed.
import {ToolError} from '@lumenflow/pack-sdk';
import {dependencyGraph, findCycle, type Linked} from '../dependencies/dependency-graph.ts';
import type {WorkUnits} from './work-unit-slice.ts';

/** Throws ToolError DEPENDENCY_UNKNOWN and DEPENDENCY_CYCLE. */
export function checkLinks({units}: WorkUnits, spec: Linked & {readonly fixes?: string}): void {
  const named = [...(spec.depends_on ?? []), ...(spec.blocks ?? []), ...(spec.fixes === undefined ? [] : [spec.fixes])];
  const unknown = named.filter((id) => id !== spec.id && units[id] === undefined);
  if (unknown.length > 0) {
    const message = `\`${spec.id}\` names unknown work units: ${unknown.map((id) => `\`${id}\``).join(', ')}`;
    throw new ToolError('DEPENDENCY_UNKNOWN', message, {id: spec.id, unknown});
  }
  const others = Object.values(units).flatMap((unit) => (unit.spec.id === spec.id ? [] : [unit.spec]));
  const cycle = findCycle(dependencyGraph([...others, spec]), spec.id);
  if (cycle === undefined) return;
  const message = `work units would depend on each other: ${cycle.join(' -> ')}`;
  throw new ToolError('DEPENDENCY_CYCLE', message, {id: spec.id, cycle});
}
