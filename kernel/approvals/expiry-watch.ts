// Which open requests a fold closes because their time is over. Without it, a state would keep every unanswered request as open.
import {instantOf} from '../policy/index.ts';
import {isOpen, type ApprovalRecord} from './approval-record.ts';

/** Events of hosts whose clocks are fast by less than this close no request that still counts elsewhere. */
const clockToleranceMs = 24 * 3_600_000;

export interface ExpiryWatch {
  /** Must be called for every change of a request. */
  change(approval: ApprovalRecord): void;
  /** Those that expired long before the time of an event, as expired. Cheap if there are none. `timestamp`: UTC ISO 8601. */
  expiredBy(timestamp: string, open: () => Iterable<ApprovalRecord>): readonly ApprovalRecord[];
}

/** `open`: the requests that are open already. */
export function createExpiryWatch(open: Iterable<ApprovalRecord>): ExpiryWatch {
  let earliest = earliestOf(open);
  return {
    change(approval) {
      if (isOpen(approval)) earliest = Math.min(earliest, expiryOf(approval));
    },
    expiredBy(timestamp, openNow) {
      if (earliest === Infinity) return [];
      // A time that cannot be read closes nothing.
      const before = (instantOf(timestamp) ?? -Infinity) - clockToleranceMs;
      if (earliest > before) return [];
      const all = [...openNow()];
      const isOver = (approval: ApprovalRecord): boolean => expiryOf(approval) <= before;
      earliest = earliestOf(all.filter((approval) => !isOver(approval)));
      return all.filter(isOver).map((approval) => ({...approval, state: 'expired'}));
    },
  };
}

function earliestOf(approvals: Iterable<ApprovalRecord>): number {
  let earliest = Infinity;
  for (const approval of approvals) earliest = Math.min(earliest, expiryOf(approval));
  return earliest;
}

function expiryOf({expires_at}: ApprovalRecord): number {
  return instantOf(expires_at) ?? Infinity;
}
