// The status of work units: their holders, their age, and the obstacles to a claim.
import {findObstacles, type Obstacle} from '../claims/check-start.ts';
import {isExpired} from '../claims/lease.ts';
import type {WorkUnit, WuStatus} from '../work-units/work-unit.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';

export interface UnitStatus {
  readonly id: string;
  readonly title: string;
  readonly lane: string;
  readonly status: WuStatus;
  readonly since: string;
  /** Milliseconds in this status. */
  readonly age_ms: number;
  readonly lease?: {readonly session_id: string; readonly expires_at: string; readonly expired: boolean};
  readonly branch?: string;
  readonly worktree?: string;
  readonly blocked_reason?: string;
  readonly escalation?: string;
  readonly commit?: string;
  /** Why a claim would fail now. Only for ready work units. */
  readonly obstacles: readonly Pick<Obstacle, 'code' | 'message'>[];
}

export interface StatusQuestion {
  /** The calling session. */
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  /** Of the work unit's lane; undefined if it has none. */
  readonly wip_limit: number | undefined;
}

export function unitStatus(state: WorkUnits, unit: WorkUnit, question: StatusQuestion): UnitStatus {
  const {spec, status, since, lease, branch, worktree, blocked_reason, escalation, commit} = unit;
  const now = Date.parse(question.at);
  return {
    id: spec.id,
    title: spec.title,
    lane: spec.lane,
    status,
    since,
    age_ms: Math.max(0, now - Date.parse(since)),
    ...(lease && {
      lease: {session_id: lease.session_id, expires_at: lease.expires_at, expired: isExpired(lease, now)},
    }),
    ...(branch !== undefined && {branch}),
    ...(worktree !== undefined && {worktree}),
    ...(blocked_reason !== undefined && {blocked_reason}),
    ...(escalation && {escalation: escalation.reason}),
    ...(commit !== undefined && {commit}),
    obstacles:
      status === 'ready' ? findObstacles(state, unit, question).map(({code, message}) => ({code, message})) : [],
  };
}

export type StatusCounts = Readonly<Record<WuStatus, number>>;

export function countByStatus(units: readonly WorkUnit[]): StatusCounts {
  const counts = {ready: 0, in_progress: 0, blocked: 0, done: 0};
  for (const {status} of units) counts[status] += 1;
  return counts;
}
