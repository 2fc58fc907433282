// Lists work units: filtered, sorted, in pages.
import {isExpired} from '../claims/lease.ts';
import {dependenciesAmong} from '../dependencies/dependency-graph.ts';
import type {WorkUnit, WuStatus} from '../work-units/work-unit.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';
import {wuNumber} from '../work-units/wu-id.ts';
import type {WuPriority, WuType} from '../work-units/wu-spec.ts';

export interface ListQuery {
  readonly status?: readonly WuStatus[];
  readonly lane?: string;
  readonly type?: WuType;
  readonly priority?: WuPriority;
  readonly initiative?: string;
  readonly label?: string;
  /** Part of a title, case-insensitive. */
  readonly title?: string;
  readonly assignee?: string;
  /** Only work units that wait for a review. */
  readonly in_review?: boolean;
  /** Only unfinished work units whose due day is over. */
  readonly overdue?: boolean;
  /** Only ready work units without open dependencies. */
  readonly claimable?: boolean;
  /** Default `id`. `priority`: most urgent, then oldest first. `since`: longest in their status first. `due`: earliest first. */
  readonly sort?: 'id' | 'priority' | 'since' | 'due';
  /** Default 100. */
  readonly limit?: number;
  /** Continues after this id: `next_after` of the previous page. */
  readonly after?: string;
}

export interface UnitRow {
  readonly id: string;
  readonly title: string;
  readonly lane: string;
  readonly type: WuType;
  readonly priority: WuPriority;
  readonly status: WuStatus;
  readonly since: string;
  readonly initiative?: string;
  readonly labels?: readonly string[];
  readonly assignee?: string;
  readonly due?: string;
  readonly overdue?: true;
  readonly comments?: number;
  readonly in_review?: true;
  readonly review_url?: string;
  /** Session that holds the lease. */
  readonly session_id?: string;
  readonly lease_expired?: true;
  readonly blocked_reason?: string;
  readonly escalated?: true;
  /** Unfinished dependencies. */
  readonly waits_for: readonly string[];
}

export interface UnitPage {
  readonly units: readonly UnitRow[];
  /** Number of matches on all pages. */
  readonly total: number;
  readonly next_after?: string;
}

/** `now` in milliseconds since the epoch. */
export function listUnits({units}: WorkUnits, query: ListQuery, now: number): UnitPage {
  const all = Object.values(units);
  const waiting = waitingFor(units);
  const matching = all.filter(
    (unit) =>
      matches(unit, query) &&
      (query.overdue !== true || isOverdue(unit, now)) &&
      (query.in_review !== true || isInReview(unit)) &&
      (query.claimable !== true || isClaimable(unit, waiting)),
  );
  const ordered = inOrder(matching, query.sort ?? 'id');
  const start = query.after === undefined ? 0 : ordered.findIndex(({spec}) => spec.id === query.after) + 1;
  const page = ordered.slice(start, start + (query.limit ?? 100));
  const last = page.at(-1);
  return {
    units: page.map((unit) => rowOf(unit, waiting(unit.spec.id), now)),
    total: matching.length,
    ...(start + page.length < matching.length && last && {next_after: last.spec.id}),
  };
}

type WaitingFor = (id: string) => readonly string[];

/** Unfinished dependencies. */
export function waitingFor(units: WorkUnits['units']): WaitingFor {
  const dependenciesOf = dependenciesAmong(units);
  return (id) => dependenciesOf(id).filter((dependency) => units[dependency]?.status !== 'done');
}

function isClaimable({status, spec}: WorkUnit, waiting: WaitingFor): boolean {
  return status === 'ready' && waiting(spec.id).length === 0;
}

function isInReview({status, review}: WorkUnit): boolean {
  return status !== 'done' && review !== undefined;
}

/** A work unit is due until the end of its day, in UTC. */
function isOverdue({status, due}: WorkUnit, now: number): boolean {
  return status !== 'done' && due !== undefined && due < new Date(now).toISOString().slice(0, 10);
}

function matches({spec, status, assignee}: WorkUnit, query: ListQuery): boolean {
  const {label, title} = query;
  return (
    (query.assignee === undefined || assignee === query.assignee) &&
    (query.status?.includes(status) ?? true) &&
    exactFields.every((field) => query[field] === undefined || spec[field] === query[field]) &&
    (label === undefined || spec.labels?.includes(label) === true) &&
    (title === undefined || spec.title.toLowerCase().includes(title.toLowerCase()))
  );
}

const exactFields = ['lane', 'type', 'priority', 'initiative'] as const;

/** What is compared before the id. */
const keys: Readonly<Record<NonNullable<ListQuery['sort']>, (unit: WorkUnit) => string>> = {
  id: () => '',
  priority: ({spec}) => spec.priority,
  since: ({since}) => since,
  // Without a due day, last.
  due: ({due}) => due ?? '~',
};

function inOrder(units: readonly WorkUnit[], sort: NonNullable<ListQuery['sort']>): readonly WorkUnit[] {
  const key = keys[sort];
  return units
    .map((unit) => ({unit, key: key(unit), number: wuNumber(unit.spec.id), id: unit.spec.id}))
    .toSorted((a, b) => byText(a.key, b.key) || a.number - b.number || byText(a.id, b.id))
    .map(({unit}) => unit);
}

function byText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

function rowOf(unit: WorkUnit, waits_for: readonly string[], now: number): UnitRow {
  const {spec, status, since, blocked_reason, escalation, comments} = unit;
  const {id, title, lane, type, priority, initiative, labels} = spec;
  return {
    id,
    title,
    lane,
    type,
    priority,
    status,
    since,
    ...(initiative !== undefined && {initiative}),
    ...(labels && {labels}),
    ...(comments !== undefined && {comments}),
    ...planOf(unit, now),
    ...holderOf(unit, now),
    ...(blocked_reason !== undefined && {blocked_reason}),
    ...(escalation && {escalated: true as const}),
    waits_for,
  };
}

function planOf(unit: WorkUnit, now: number): Pick<UnitRow, 'assignee' | 'due' | 'overdue'> {
  const {assignee, due} = unit;
  return {
    ...(assignee !== undefined && {assignee}),
    ...(due !== undefined && {due}),
    ...(isOverdue(unit, now) && {overdue: true as const}),
  };
}

type Holding = Pick<UnitRow, 'in_review' | 'review_url' | 'session_id' | 'lease_expired'>;

function holderOf(unit: WorkUnit, now: number): Holding {
  const {lease, review} = unit;
  return {
    ...(isInReview(unit) && {in_review: true as const}),
    ...(isInReview(unit) && review?.url !== undefined && {review_url: review.url}),
    ...(lease && {session_id: lease.session_id}),
    ...(lease && isExpired(lease, now) && {lease_expired: true as const}),
  };
}
