// The events that record a repository's specs in an empty log, for example after a fresh clone: git carries the specs, but not
// the log.
import {ToolError} from '@lumenflow/pack-sdk';
import {dependencyGraph, findCycle} from '../dependencies/dependency-graph.ts';
import type {EventStamp} from '../events/delivery-event.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';
import type {WuEvent} from '../work-units/wu-event.ts';
import type {WuSpec} from '../work-units/wu-spec.ts';

export interface FoundSpec {
  readonly spec: WuSpec;
  readonly hash: string;
}

/** It had no holder, because it was done before the log began. */
const noToken = 0;

/** Throws ToolError DEPENDENCY_UNKNOWN and DEPENDENCY_CYCLE. */
export function planBootstrap(
  {units}: WorkUnits,
  found: readonly FoundSpec[],
  {done, stamp}: {readonly done: ReadonlySet<string>; readonly stamp: EventStamp},
): readonly WuEvent[] {
  const fresh = found.filter(({spec}) => !Object.hasOwn(units, spec.id));
  const known = new Set([...Object.keys(units), ...fresh.map(({spec}) => spec.id)]);
  const graph = dependencyGraph([...Object.values(units), ...fresh].map(({spec}) => spec));
  for (const {spec} of fresh) checkLinks(spec, known, findCycle(graph, spec.id));
  return fresh.flatMap(({spec, hash}): readonly WuEvent[] => {
    const {id} = spec;
    const created: WuEvent = {type: 'wu_created', ...stamp, id, spec, spec_hash: hash};
    return done.has(id) ? [created, {type: 'wu_completed', ...stamp, id, token: noToken}] : [created];
  });
}

function checkLinks(
  {id, depends_on = [], blocks = []}: WuSpec,
  known: ReadonlySet<string>,
  cycle: readonly string[] | undefined,
): void {
  const unknown = [...depends_on, ...blocks].filter((other) => !known.has(other));
  if (unknown.length > 0) {
    const message = `\`${id}\` names unknown work units: \`${unknown.join('`, `')}\``;
    throw new ToolError('DEPENDENCY_UNKNOWN', message, {id, unknown});
  }
  if (cycle === undefined) return;
  throw new ToolError('DEPENDENCY_CYCLE', `work units would depend on each other: ${cycle.join(' -> ')}`, {id, cycle});
}
