// What prevents a work unit from being started now, for any session.
import {ToolError} from '@lumenflow/pack-sdk';
import {dependenciesAmong} from '../dependencies/dependency-graph.ts';
import {lockAt} from '../lane-locks/lane-states.ts';
import {findOverlaps} from '../overlaps/find-overlaps.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';

export interface Start {
  /** The session that wants to start. */
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  readonly wip_limit: number | undefined;
}

/** Throws ToolError LANE_FROZEN, LANE_LOCKED, DEPENDENCY_NOT_DONE, LANE_FULL or CODE_PATHS_OVERLAP. */
export function checkStart(state: WorkUnits, unit: WorkUnit, start: Start): void {
  const [obstacle] = findObstacles(state, unit, start);
  if (obstacle !== undefined) throw new ToolError(obstacle.code, obstacle.message, obstacle.details);
}

export interface Obstacle {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** All obstacles. A claim fails with the first one. */
export function findObstacles(state: WorkUnits, unit: WorkUnit, start: Start): readonly Obstacle[] {
  return obstacleFinder(state)(unit, start);
}

/** The same for many work units of one state, which is searched once. */
export function obstacleFinder(state: WorkUnits): (unit: WorkUnit, start: Start) => readonly Obstacle[] {
  const active = Object.values(state.units).filter(({status}) => status === 'in_progress' || status === 'blocked');
  const dependenciesOf = dependenciesAmong(state.units);
  return (unit, start) => {
    const busy = active.filter(({spec}) => spec.id !== unit.spec.id);
    return [
      ...claimedLane(state, unit, start),
      ...openDependencies(state, unit, dependenciesOf(unit.spec.id)),
      ...fullLane(busy, unit, start),
      ...overlaps(busy, unit),
    ];
  };
}

function claimedLane({lanes}: WorkUnits, {spec: {lane}}: WorkUnit, {by, at}: Start): readonly Obstacle[] {
  const hold = lanes[lane];
  const found: Obstacle[] = [];
  if (hold?.frozen !== undefined) {
    const {reason} = hold.frozen;
    found.push({
      code: 'LANE_FROZEN',
      message: `lane \`${lane}\` accepts no claims: ${reason}`,
      details: {lane, reason},
    });
  }
  const lock = lockAt(hold, Date.parse(at));
  if (lock !== undefined && lock.session_id !== by) {
    const {session_id, reason, expires_at} = lock;
    const message = `lane \`${lane}\` is locked by session \`${session_id}\` until ${expires_at}: ${reason}`;
    found.push({code: 'LANE_LOCKED', message, details: {lane, session_id, reason, expires_at}});
  }
  return found;
}

function openDependencies(
  {units}: WorkUnits,
  {spec: {id}}: WorkUnit,
  dependencies: readonly string[],
): readonly Obstacle[] {
  const open = dependencies.filter((dependency) => units[dependency]?.status !== 'done');
  if (open.length === 0) return [];
  const each = open.map((dependency) => `\`${dependency}\` (${units[dependency]?.status ?? 'unknown'})`).join(', ');
  return [{code: 'DEPENDENCY_NOT_DONE', message: `\`${id}\` depends on ${each}`, details: {id, waits_for: open}}];
}

function fullLane(busy: readonly WorkUnit[], {spec: {lane}}: WorkUnit, {wip_limit: limit}: Start): readonly Obstacle[] {
  const ids = busy.filter(({spec}) => spec.lane === lane).map(({spec}) => spec.id);
  if (limit === undefined || ids.length < limit) return [];
  const message = `lane \`${lane}\` has all of its ${limit} slots taken, by ${ids.map((id) => `\`${id}\``).join(', ')}`;
  return [{code: 'LANE_FULL', message, details: {lane, wip_limit: limit, in_progress: ids}}];
}

function overlaps(busy: readonly WorkUnit[], {spec}: WorkUnit): readonly Obstacle[] {
  const found = findOverlaps(
    spec,
    busy.map((unit) => unit.spec),
  );
  if (found.length === 0) return [];
  const each = found.map(({id, mine, theirs}) => `\`${mine}\` meets \`${theirs}\` of \`${id}\``).join(', ');
  return [
    {
      code: 'CODE_PATHS_OVERLAP',
      message: `work in progress may change the same files: ${each}`,
      details: {id: spec.id, overlaps: found},
    },
  ];
}
