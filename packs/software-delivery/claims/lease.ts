// Leases: the holder of a work unit, the expiry, and the fencing token that distinguishes the holder from former ones.
import {ToolError} from '@lumenflow/pack-sdk';
import type {EventStamp} from '../events/delivery-event.ts';
import type {Decision} from '../events/delivery-log.ts';
import type {PackConfig} from '../pack-config.ts';
import {findWorkUnit} from '../work-units/find-work-unit.ts';
import type {Lease, WorkUnit} from '../work-units/work-unit.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';
import type {WuEvent} from '../work-units/wu-event.ts';

export interface HeldWorkUnit extends WorkUnit {
  readonly lease: Lease;
}

/** True if the session of this clone claimed the work unit. */
export function isHeldBy(lease: Lease | undefined, session: string): boolean {
  return lease?.session_id === session && lease.origin === undefined;
}

/** The session of the lease, for messages. */
export function holderOf({session_id, origin}: Lease): string {
  return `session \`${session_id}\`${origin === undefined ? '' : ' of another clone'}`;
}

/** `now` in milliseconds since the epoch. */
export function isExpired({expires_at: expiresAt}: Lease, now: number): boolean {
  return Date.parse(expiresAt) <= now;
}

export function expiryOf({at}: Pick<EventStamp, 'at'>, ttlMs: number): string {
  return new Date(Date.parse(at) + ttlMs).toISOString();
}

/**
 * Returns the work unit if `token` matches its lease. An expired lease remains its holder's until another session takes it.
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
  const message = `the lease token ${token} of \`${id}\` is not the current one: ${holderOf(lease)} has claimed it; in that session, pass the token of its latest \`wu:claim\``;
  throw new ToolError('LEASE_STALE', message, {id, lease_token: token});
}

/**
 * Returns the work unit if the token matches its lease and the session claimed it. The token alone is not enough, because it is a
 * counter that anyone can guess. Throws the errors of `requireLease`, and ToolError WU_OF_ANOTHER_SESSION.
 */
export function requireHolder(state: WorkUnits, id: string, {token, session_id}: Holder): HeldWorkUnit {
  const unit = requireLease(state, id, token);
  const {lease} = unit;
  if (isHeldBy(lease, session_id)) return unit;
  const holder = lease.session_id;
  const fix =
    lease.origin === undefined ? `call again in that session (\`--session ${holder}\`)` : 'call again in that clone';
  const message = `\`${id}\` is claimed by ${holderOf(lease)}, not by this call's session \`${session_id}\`: ${fix}`;
  throw new ToolError('WU_OF_ANOTHER_SESSION', message, {id, session_id: holder});
}

export interface Holder {
  /** Token of the lease. */
  readonly token: number;
  /** Session of the call. */
  readonly session_id: string;
}

export interface Heartbeat extends EventStamp {
  readonly id: string;
  readonly ttl_ms: number;
}

/**
 * Renews the session's lease. Appends no event while most of the lease is left, so that a busy holder does not fill the log.
 * Returns the expiry; undefined if the session has no lease.
 */
export function renewLease(
  state: WorkUnits,
  {id, ttl_ms: ttlMs, at, by}: Heartbeat,
): Decision<WuEvent, string | undefined> {
  const lease = state.units[id]?.lease;
  if (lease === undefined || !isHeldBy(lease, by)) return {events: [], result: undefined};
  const left = Date.parse(lease.expires_at) - Date.parse(at);
  if (left > ttlMs * 0.75) return {events: [], result: lease.expires_at};
  const expires_at = expiryOf({at}, ttlMs);
  return {events: [{type: 'wu_renewed', at, by, id, token: lease.token, expires_at}], result: expires_at};
}

/** Milliseconds that a lease lasts without activity. */
export function leaseTtlMs(config: PackConfig): number {
  return (config?.lease?.ttl_minutes ?? 60) * 60_000;
}
