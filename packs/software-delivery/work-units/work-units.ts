// The log slice of work units and lane locks, which are decided together.
import type {Slice} from '../events/slice.ts';
import type {LaneEvent} from '../lane-locks/lane-event.ts';
import {evolveLanes, type LaneHolds} from '../lane-locks/lane-holds.ts';
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
  readonly lanes: LaneHolds;
}

export const workUnits: Slice<WorkUnits, WuEvent | LaneEvent> = {
  name: 'work-units',
  version: 2,
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
  } else {
    if (event.type === 'wu_claimed') state.last_token = Math.max(state.last_token, event.token);
    const unit = state.units[id];
    if (unit !== undefined) state.units[id] = evolveUnit(unit, event);
  }
}

function evolveUnit(unit: WorkUnit, event: Exclude<WuEvent, WuCreated | WuDeleted>): WorkUnit {
  const {lease, blocked_reason: _, ...free} = unit;
  const {at: since} = event;
  switch (event.type) {
    case 'wu_edited':
      return {...unit, spec: summaryOf(event.spec), spec_hash: event.spec_hash};
    case 'wu_assigned':
      return assigned(unit, event);
    case 'wu_commented':
      return {...unit, comments: (unit.comments ?? 0) + 1};
    case 'wu_claimed': {
      const {token, expires_at, branch, worktree, by: session_id} = event;
      return {...free, status: 'in_progress', since, lease: {token, session_id, expires_at}, branch, worktree};
    }
    case 'wu_started':
      return {...unit, base: event.base};
    case 'wu_renewed':
      return {...unit, ...renewed(lease, event.expires_at)};
    case 'wu_blocked':
      return {...unit, status: 'blocked', since, blocked_reason: event.reason};
    case 'wu_unblocked':
      return {...free, ...renewed(lease, event.expires_at), status: 'in_progress', since};
    case 'wu_released':
      return {...free, status: 'ready', since};
    case 'wu_completed': {
      // Most units are done. Fields that are not needed after completion are dropped.
      const {base: __, briefed: ___, escalation: ____, ...rest} = free;
      return {...rest, status: 'done', since, ...(event.commit !== undefined && {commit: event.commit})};
    }
    case 'wu_briefed':
      return {...unit, briefed: {session_id: event.by, spec_hash: event.spec_hash}};
    case 'wu_escalated':
      return {...unit, escalation: {reason: event.reason, since}};
    case 'wu_escalation_resolved': {
      const {escalation: _____, ...calm} = unit;
      return calm;
    }
    default:
      event satisfies never;
      return unit;
  }
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
