// Leases: who holds a work unit, until when, and the fencing token that tells the holder from one who was.
import {ToolError} from '@lumenflow/pack-sdk';
import type {EventStamp} from '../events/delivery-event.ts';
import type {Decision} from '../events/delivery-log.ts';
import type {PackConfig} from '../pack-config.ts';
import {findWorkUnit} from '../work-units/find-work-unit.ts';
import type {Lease, WorkUnit} from '../work-units/work-unit.ts';
import type {WorkUnits} from '../work-units/work-units.ts';
import type {WuEvent} from '../work-units/wu-event.ts';

export interface HeldWorkUnit extends WorkUnit {
  readonly lease: Lease;
}

/** `now` in milliseconds since the epoch. */
export function isExpired({expires_at: expiresAt}: Lease, now: number): boolean {
  return Date.parse(expiresAt) <= now;
}

export function expiryOf({at}: Pick<EventStamp, 'at'>, ttlMs: number): string {
  return new Date(Date.parse(at) + ttlMs).toISOString();
}

/**
 * The work unit, when `token` is of its lease. An expired lease that nobody took is still its holder's.
 * Throws ToolError WU_NOT_FOUND, NOT_CLAIMED and LEASE_STALE.
 */
export function requireLease(state: WorkUnits, id: string, token: number): HeldWorkUnit {
  const unit = findWorkUnit(state, id);
  const {lease} = unit;
  if (lease === undefined) {
    throw new ToolError('NOT_CLAIMED', `\`${id}\` is ${unit.status}, not claimed: claim it with \`wu:claim\``, {
      id,
      status: unit.status,
    });
  }
  if (lease.token === token) return {...unit, lease};
  throw new ToolError(
    'LEASE_STALE',
    `the lease token ${token} of \`${id}\` is stale: another session has claimed it since`,
    {id, lease_token: token},
  );
}

/**
 * The work unit, when the token is of its lease and the session is the one that claimed it: a token is a counter, which
 * anybody can guess. Throws those of `requireLease`, and ToolError WU_OF_ANOTHER_SESSION.
 */
export function requireHolder(state: WorkUnits, id: string, {token, session_id}: Holder): HeldWorkUnit {
  const unit = requireLease(state, id, token);
  const holder = unit.lease.session_id;
  if (holder === session_id) return unit;
  const message = `\`${id}\` is held by session \`${holder}\`, not by this call's session \`${session_id}\`: call again from the holder's session`;
  throw new ToolError('WU_OF_ANOTHER_SESSION', message, {id, session_id: holder});
}

export interface Holder {
  /** Of the lease. */
  readonly token: number;
  /** Whose call it is. */
  readonly session_id: string;
}

export interface Heartbeat extends EventStamp {
  readonly id: string;
  readonly ttl_ms: number;
}

/**
 * Renews the lease that the session holds; no event while most of it is left, so that a busy holder does not fill the log.
 * The result is when it ends; undefined when the session holds none.
 */
export function renewLease(
  state: WorkUnits,
  {id, ttl_ms: ttlMs, at, by}: Heartbeat,
): Decision<WuEvent, string | undefined> {
  const lease = state.units[id]?.lease;
  if (lease?.session_id !== by) return {events: [], result: undefined};
  const left = Date.parse(lease.expires_at) - Date.parse(at);
  if (left > ttlMs * 0.75) return {events: [], result: lease.expires_at};
  const expires_at = expiryOf({at}, ttlMs);
  return {events: [{type: 'wu_renewed', at, by, id, token: lease.token, expires_at}], result: expires_at};
}

/** Milliseconds that a claim holds without a sign of life. */
export function leaseTtlMs(config: PackConfig): number {
  return (config?.lease?.ttl_minutes ?? 60) * 60_000;
}
