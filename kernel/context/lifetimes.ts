// What is over by now. The wall clock decides, and so does the time that has passed in this process: a clock that is set back prolongs
// nothing that this process has seen before.
import {approvalAt, isOpen, type ApprovalRecord, type StandingApproval} from '../approvals/approval-record.ts';
import type {Clock} from '../ports.ts';
import {RecentMap} from '../recent-map.ts';

export interface Lifetimes {
  /** The time to compare with the expiry of a request or a sign-in: UTC ISO 8601 with milliseconds. `id` is unique among both. */
  timestampFor(id: string): string;
  /** The request as it is now. */
  approval(record: ApprovalRecord): StandingApproval;
}

const rememberedMax = 100_000;

export function createLifetimes(clock: Clock): Lifetimes {
  /** How far the wall clock was ahead of the monotonic one when each id was first asked for. */
  const leads = new RecentMap<string, number>(rememberedMax);
  function timestampFor(id: string): string {
    const lead = clock.now() - clock.monotonic();
    const first = leads.get(id);
    if (first === undefined) leads.set(id, lead);
    return clock.timestamp(first === undefined ? 0 : Math.max(0, Math.round(first - lead)));
  }
  return {
    timestampFor,
    approval: (record) => (isOpen(record) ? approvalAt(record, timestampFor(record.request_id)) : record),
  };
}
