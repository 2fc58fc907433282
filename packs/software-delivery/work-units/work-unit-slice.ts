// The log slice of work units and lane locks, which are decided together.
import type {Slice} from '../events/slice.ts';
import type {LaneEvent} from '../lane-locks/lane-event.ts';
import {evolveLanes, type LaneStates} from '../lane-locks/lane-states.ts';
import type {SpecSummary, WorkUnit} from './work-unit.ts';
import type {WuAssigned, WuCreated, WuDeleted, WuEvent} from './wu-event.ts';
import {wuNumber} from './wu-id.ts';
import type {WuSpec} from './wu-spec.ts';

export interface WorkUnits {
  /** By id, in order of creation. */
  readonly units: Record<string, WorkUnit>;
  /** This number and higher ones were never assigned. */
  next_number: number;
  /** The latest fencing token. */
  last_token: number;
  readonly lanes: LaneStates;
}

export const workUnitSlice: Slice<WorkUnits, WuEvent | LaneEvent> = {
  name: 'work-units',
  version: 4,
  initial: {units: {}, next_number: 1, last_token: 0, lanes: {}},
  evolve(state, event) {
    if (event.type.startsWith('lane_')) evolveLanes(state.lanes, event as LaneEvent);
    else if (event.type.startsWith('wu_')) evolveUnits(state, event as WuEvent);
    return state;
  },
};

function evolveUnits(state: WorkUnits, event: WuEvent): void {
  const {id} = event;
  if (event.type === 'wu_created') {
    const {spec, spec_hash, at} = event;
    state.next_number = Math.max(state.next_number, wuNumber(id) + 1);
    state.units[id] = {spec: summaryOf(spec), spec_hash, status: 'ready', created_at: at, since: at};
  } else if (event.type === 'wu_deleted') {
    delete state.units[id];
    if (event.withdrawn === true && wuNumber(id) === state.next_number - 1) state.next_number -= 1;
  } else {
    if (event.type === 'wu_claimed') state.last_token = Math.max(state.last_token, event.token);
    const unit = state.units[id];
    if (unit !== undefined) state.units[id] = evolveUnit(unit, event);
  }
}

type UnitEvent = Exclude<WuEvent, WuCreated | WuDeleted>;

type Evolutions = {
  readonly [Type in UnitEvent['type']]: (unit: WorkUnit, event: Extract<UnitEvent, {readonly type: Type}>) => WorkUnit;
};

const evolutions: Evolutions = {
  wu_edited: (unit, {spec, spec_hash}) => ({...unit, spec: summaryOf(spec), spec_hash}),
  wu_assigned: assigned,
  wu_commented: (unit) => ({...unit, comments: (unit.comments ?? 0) + 1}),
  wu_claimed: (unit, {token, expires_at, branch, worktree, by: session_id, at: since, origin}) => ({
    ...free(unit),
    status: 'in_progress',
    since,
    lease: {token, session_id, expires_at, ...(origin !== undefined && {origin})},
    branch,
    worktree,
  }),
  wu_started: (unit, {base}) => ({...unit, base}),
  wu_renewed: (unit, {expires_at}) => ({...unit, ...renewed(unit.lease, expires_at)}),
  wu_blocked: (unit, {reason, at: since}) => ({...unit, status: 'blocked', since, blocked_reason: reason}),
  wu_unblocked: (unit, {expires_at, at: since}) => ({
    ...free(unit),
    ...renewed(unit.lease, expires_at),
    status: 'in_progress',
    since,
  }),
  wu_released: (unit, {at: since}) => ({...free(unit), status: 'ready', since}),
  wu_completed: (unit, {commit, at: since}) => {
    // Most units are done. Fields that are not needed after completion are dropped.
    const rest = omit(unit, 'lease', 'blocked_reason', 'base', 'briefed', 'escalation');
    return {...rest, status: 'done', since, ...(commit !== undefined && {commit})};
  },
  wu_review_opened: (unit, {branch, head, remote, number, url, at: since}) => ({
    ...unit,
    review: {branch, head, remote, since, ...(number !== undefined && {number}), ...(url !== undefined && {url})},
  }),
  wu_review_closed: (unit) => omit(unit, 'review'),
  wu_reverted: (unit, {commit, successor}) => ({...unit, reverted: {commit, successor}}),
  wu_briefed: (unit, {by: session_id, spec_hash}) => ({...unit, briefed: {session_id, spec_hash}}),
  wu_escalated: (unit, {reason, at: since}) => ({...unit, escalation: {reason, since}}),
  wu_escalation_resolved: (unit) => omit(unit, 'escalation'),
};

const ofClaim: ReadonlySet<UnitEvent['type']> = new Set([
  'wu_claimed',
  'wu_started',
  'wu_renewed',
  'wu_blocked',
  'wu_unblocked',
  'wu_released',
]);

/**
 * Events of another clone can arrive late. What is done stays done, and an event of an earlier claim does not end a later one.
 */
function isOutdated({status, lease}: WorkUnit, event: UnitEvent): boolean {
  if (!ofClaim.has(event.type)) return false;
  if (status === 'done') return true;
  return event.type !== 'wu_claimed' && 'token' in event && lease !== undefined && lease.token !== event.token;
}

/** An event of a later version changes nothing. */
function evolveUnit(unit: WorkUnit, event: UnitEvent): WorkUnit {
  if (isOutdated(unit, event)) return unit;
  const evolve = evolutions[event.type] as ((unit: WorkUnit, event: UnitEvent) => WorkUnit) | undefined;
  return evolve === undefined ? unit : evolve(unit, event);
}

/** Without a lease, and not blocked. */
function free(unit: WorkUnit): WorkUnit {
  return omit(unit, 'lease', 'blocked_reason');
}

type Optional = 'lease' | 'blocked_reason' | 'review' | 'escalation' | 'base' | 'briefed';

function omit(unit: WorkUnit, ...fields: readonly Optional[]): WorkUnit {
  return Object.fromEntries(
    Object.entries(unit).filter(([field]) => !(fields as readonly string[]).includes(field)),
  ) as unknown as WorkUnit;
}

function assigned(unit: WorkUnit, {assignee, due}: WuAssigned): WorkUnit {
  const {assignee: formerAssignee, due: formerDue, ...rest} = unit;
  const [nextAssignee, nextDue] = [
    assignee === undefined ? formerAssignee : assignee,
    due === undefined ? formerDue : due,
  ];
  return {
    ...rest,
    ...(typeof nextAssignee === 'string' && {assignee: nextAssignee}),
    ...(typeof nextDue === 'string' && {due: nextDue}),
  };
}

function summaryOf(spec: WuSpec): SpecSummary {
  const {description: _, acceptance: __, tests: ___, spec_refs: ____, risk: _____, ...summary} = spec;
  return summary;
}

function renewed(lease: WorkUnit['lease'], expires_at: string): Pick<WorkUnit, 'lease'> {
  return lease === undefined ? {} : {lease: {...lease, expires_at}};
}
