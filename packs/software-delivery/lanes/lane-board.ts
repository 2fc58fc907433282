// The lanes with their work.
import {isExpired} from '../claims/lease.ts';
import {lockAt} from '../lane-locks/lane-states.ts';
import {countByStatus, type StatusCounts} from '../listing/unit-status.ts';
import type {LaneView} from '../work-units/kernel-tasks.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';

export interface LaneUnit {
  readonly id: string;
  readonly title: string;
  readonly status: 'in_progress' | 'blocked';
  readonly session_id?: string;
  /** Milliseconds in this status. */
  readonly age_ms: number;
  readonly lease_expired: boolean;
}

export interface LaneRow {
  readonly id: string;
  readonly title?: string;
  readonly wip_limit: number | null;
  /** Null if there is no limit. */
  readonly free_slots: number | null;
  readonly counts: StatusCounts;
  readonly units: readonly LaneUnit[];
  readonly locked_by?: {readonly session_id: string; readonly reason: string; readonly expires_at: string};
  readonly frozen?: string;
}

/** `now` in milliseconds since the epoch. Omits work units of lanes that are no longer in workspace.yaml. */
export function laneBoard(lanes: readonly LaneView[], state: WorkUnits, now: number): readonly LaneRow[] {
  const byLane = unitsByLane(Object.values(state.units));
  return lanes.map((lane) => laneRow(lane, byLane.get(lane.id) ?? [], state, now));
}

export function unitsByLane(units: readonly WorkUnit[]): ReadonlyMap<string, readonly WorkUnit[]> {
  const byLane = new Map<string, WorkUnit[]>();
  for (const unit of units) {
    const others = byLane.get(unit.spec.lane);
    if (others === undefined) byLane.set(unit.spec.lane, [unit]);
    else others.push(unit);
  }
  return byLane;
}

function laneRow(
  {id, title, wip_limit: limit}: LaneView,
  units: readonly WorkUnit[],
  state: WorkUnits,
  now: number,
): LaneRow {
  const counts = countByStatus(units);
  const hold = state.lanes[id];
  const lock = lockAt(hold, now);
  return {
    id,
    ...(title !== undefined && {title}),
    wip_limit: limit ?? null,
    free_slots: limit === undefined ? null : Math.max(0, limit - counts.in_progress - counts.blocked),
    counts,
    units: units.flatMap((unit) => laneUnit(unit, now)),
    ...(lock && {locked_by: {session_id: lock.session_id, reason: lock.reason, expires_at: lock.expires_at}}),
    ...(hold?.frozen && {frozen: hold.frozen.reason}),
  };
}

function laneUnit({spec: {id, title}, status, since, lease}: WorkUnit, now: number): readonly LaneUnit[] {
  if (status !== 'in_progress' && status !== 'blocked') return [];
  return [
    {
      id,
      title,
      status,
      ...(lease && {session_id: lease.session_id}),
      age_ms: Math.max(0, now - Date.parse(since)),
      lease_expired: lease !== undefined && isExpired(lease, now),
    },
  ];
}
