// Decides whether a session may start a work unit now. Of concurrent claims in any number of processes, exactly one succeeds.
import {ToolError} from '@lumenflow/pack-sdk';
import type {EventStamp} from '../events/delivery-event.ts';
import type {Decision} from '../events/delivery-log.ts';
import {findWorkUnit} from '../work-units/find-work-unit.ts';
import type {Lease, WorkUnit} from '../work-units/work-unit.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';
import type {WuEvent} from '../work-units/wu-event.ts';
import {checkStart} from './check-start.ts';
import {expiryOf, holderOf, isExpired, isHeldBy} from './lease.ts';

export interface ClaimRequest extends EventStamp {
  readonly id: string;
  readonly ttl_ms: number;
  /** Of the work unit's lane; undefined if it has none. */
  readonly wip_limit: number | undefined;
  readonly branch: string;
  readonly worktree: string;
}

export interface Claim {
  readonly unit: WorkUnit;
  readonly lease: Lease;
  /** The session already held it and resumes. */
  readonly resumed: boolean;
  /** The session whose expired lease was taken over. */
  readonly taken_from?: string;
}

/** Throws ToolError WU_NOT_FOUND, WU_DONE, WU_BLOCKED, LEASE_HELD and those of `checkStart`. */
export function decideClaim(state: WorkUnits, request: ClaimRequest): Decision<WuEvent, Claim> {
  const {id, at, by} = request;
  const unit = findWorkUnit(state, id);
  const {lease} = unit;
  if (unit.status === 'done') throw new ToolError('WU_DONE', `\`${id}\` is done`, {id});
  if (lease !== undefined && isHeldBy(lease, by)) return goOn({...unit, lease}, request);
  if (lease !== undefined && !isExpired(lease, Date.parse(at))) throw held(id, lease);
  checkStart(state, unit, request);
  const claimed = takeLease(state, request);
  const {token, expires_at} = claimed;
  const result: Claim = {unit, lease: {token, session_id: by, expires_at}, resumed: false};
  if (lease === undefined) return {events: [claimed], result};
  const reason = `the lease of ${holderOf(lease)} expired`;
  return {
    events: [{type: 'wu_released', at, by, id, token: lease.token, reason}, claimed],
    result: {...result, taken_from: lease.session_id},
  };
}

function goOn(
  unit: WorkUnit & {readonly lease: Lease},
  {id, ttl_ms: ttlMs, at, by}: ClaimRequest,
): Decision<WuEvent, Claim> {
  const {lease, status} = unit;
  if (status === 'blocked') {
    throw new ToolError('WU_BLOCKED', `your work unit \`${id}\` is blocked: run \`wu:unblock\` to continue`, {id});
  }
  const expires_at = expiryOf({at}, ttlMs);
  return {
    events: [{type: 'wu_renewed', at, by, id, token: lease.token, expires_at}],
    result: {unit, lease: {...lease, expires_at}, resumed: true},
  };
}

function takeLease(state: WorkUnits, request: ClaimRequest): Extract<WuEvent, {readonly type: 'wu_claimed'}> {
  const {id, at, by, actor, branch, worktree} = request;
  const expires_at = expiryOf(request, request.ttl_ms);
  const stamp = {at, by, ...(actor !== undefined && {actor})};
  return {type: 'wu_claimed', ...stamp, id, token: state.last_token + 1, expires_at, branch, worktree};
}

function held(id: string, lease: Lease): ToolError {
  const {session_id, expires_at} = lease;
  const message = `\`${id}\` is claimed by ${holderOf(lease)} until ${expires_at}: claim another one, or wait`;
  return new ToolError('LEASE_HELD', message, {id, session_id, expires_at});
}
