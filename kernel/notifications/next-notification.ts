// The next notification of a receiver about a request: pure, from the newest state.
import type {NotificationReceiver} from '@lumenflow/schemas';
import {isExpired, type ApprovalRecord} from '../approvals/approval-record.ts';
import {isOver, type NotificationRecord, type Occasion} from './notification-record.ts';
import {wants} from './wants.ts';

export interface NotificationTerms {
  /** UTC ISO 8601 with milliseconds; `at(ms)` is so long from now. */
  at(offsetMs?: number): string;
  isAlive(processId: string): boolean;
  /** How long after a request each reminder is due, ascending. */
  readonly remindAfterMs: readonly number[];
}

export interface NextNotification {
  readonly occasion: Occasion;
  /** From 1. */
  readonly attempt: number;
}

/** After this time, an attempt of a process that seems alive counts as lost. */
const attemptMs = 120_000;

/** Undefined if nothing is due now. */
export function nextNotification(
  record: NotificationRecord | undefined,
  {approval, receiver}: {readonly approval: ApprovalRecord; readonly receiver: NotificationReceiver},
  terms: NotificationTerms,
): NextNotification | undefined {
  const occasion = occasionOf(record, approval, terms);
  if (occasion === undefined || !wants(receiver, occasion)) return undefined;
  const last = record?.attempt;
  if (last?.retry_at === undefined && last && terms.isAlive(last.process_id) && last.began_at > terms.at(-attemptMs))
    return undefined;
  if (last?.occasion !== occasion) return {occasion, attempt: 1};
  if (last.retry_at !== undefined && last.retry_at > terms.at()) return undefined;
  return {occasion, attempt: last.number + 1};
}

function occasionOf(
  record: NotificationRecord | undefined,
  approval: ApprovalRecord,
  {at, remindAfterMs}: NotificationTerms,
): Occasion | undefined {
  const isDue = (occasion: Occasion): boolean => record === undefined || !isOver(record, occasion);
  if (approval.state !== 'pending' || isExpired(approval, at())) {
    const wasNotified = record?.delivered.length !== undefined && record.delivered.length > 0;
    return wasNotified && isDue('closed') ? 'closed' : undefined;
  }
  if (isDue('requested')) return 'requested';
  const passed = remindAfterMs.filter((ms) => approval.requested_at <= at(-ms)).length;
  // Of reminders that a stopped host has missed, only the newest is sent.
  const reminder = `reminder-${passed}`;
  return passed > 0 && isDue(reminder) ? reminder : undefined;
}
