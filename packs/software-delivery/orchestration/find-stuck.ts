// Finds stalled work: expired leases, silent holders, and unclaimed delegations. Blocked work stalls on purpose.
import type {Delegation} from '../delegation/delegation-slice.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';

export interface StuckWork {
  readonly wu: string;
  readonly reason: 'lease_expired' | 'holder_silent' | 'delegation_untaken';
  /** Time of the last activity. */
  readonly since: string;
  readonly minutes: number;
  /** What `doctor` would do. */
  readonly remedy: 'release' | 'withdraw';
  /** Session that holds the lease. */
  readonly session_id?: string;
  /** The open delegation. */
  readonly delegation?: string;
  readonly to?: string;
}

export interface Patience {
  readonly untaken_minutes: number;
  readonly silent_minutes: number;
}

export interface WatchedWork {
  readonly units: Iterable<WorkUnit>;
  /** The delegation of a work unit. */
  delegationOf(wu: string): Delegation | undefined;
  /** Time of the latest heartbeat or call of its holder; ISO 8601. */
  lastSeen(unit: WorkUnit): string | undefined;
}

const minuteMs = 60_000;

/** Longest stalled first. */
export function findStuck(work: WatchedWork, patience: Patience, now: number): readonly StuckWork[] {
  const found: StuckWork[] = [];
  for (const unit of work.units) {
    const delegation = work.delegationOf(unit.spec.id);
    const judged = judge(unit, {delegation, work, patience}, now);
    if (judged === undefined) continue;
    const {since} = judged;
    found.push({
      ...judged,
      wu: unit.spec.id,
      minutes: Math.floor((now - Date.parse(since)) / minuteMs),
      ...(delegation !== undefined && {delegation: delegation.delegation, to: delegation.to}),
    });
  }
  return found.toSorted((a, b) => b.minutes - a.minutes);
}

interface Judging {
  readonly delegation: Delegation | undefined;
  readonly work: WatchedWork;
  readonly patience: Patience;
}

function judge(
  unit: WorkUnit,
  {delegation, work, patience}: Judging,
  now: number,
): Pick<StuckWork, 'reason' | 'since' | 'remedy' | 'session_id'> | undefined {
  const {status, lease} = unit;
  const isLong = (since: string, minutes: number): boolean => now - Date.parse(since) > minutes * minuteMs;
  if (status === 'ready' && delegation !== undefined && isLong(delegation.since, patience.untaken_minutes)) {
    return {reason: 'delegation_untaken', since: delegation.since, remedy: 'withdraw'};
  }
  if (status !== 'in_progress' || lease === undefined) return undefined;
  const {session_id, expires_at} = lease;
  if (isLong(expires_at, 0)) return {reason: 'lease_expired', since: expires_at, remedy: 'release', session_id};
  const seen = work.lastSeen(unit);
  if (seen === undefined || !isLong(seen, patience.silent_minutes)) return undefined;
  return {reason: 'holder_silent', since: seen, remedy: 'release', session_id};
}
