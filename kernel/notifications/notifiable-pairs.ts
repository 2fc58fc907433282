// Which requests and receivers can have something due. An expired request stays open in the state for a day, and a record whose receiver left
// workspace.yaml or wants no more stays live: of these, nothing is ever due, so that a pass costs no more with each of them.
import type {NotificationReceiver} from '@lumenflow/schemas';
import {isExpired, type ApprovalRecord} from '../approvals/approval-record.ts';
import type {Records} from '../records/record-table.ts';
import type {NotificationRecord} from './notification-record.ts';
import {wants} from './wants.ts';

export interface NotifiablePair {
  readonly approval: ApprovalRecord;
  readonly receiver: NotificationReceiver;
}

interface Known {
  readonly approvals: Pick<Records<ApprovalRecord>, 'get' | 'open'>;
  readonly notifications: Pick<Records<NotificationRecord>, 'open'>;
}

/** `now`: UTC ISO 8601 with milliseconds. */
export function notifiablePairs(
  {approvals, notifications}: Known,
  receivers: readonly NotificationReceiver[],
  now: string,
): readonly NotifiablePair[] {
  const isWaiting = (approval: ApprovalRecord): boolean => approval.state === 'pending' && !isExpired(approval, now);
  const waiting = [...approvals.open()].filter(isWaiting);
  const interested = new Map(receivers.flatMap((each) => (wants(each, 'closed') ? [[each.id, each] as const] : [])));
  const over = [...notifications.open()].flatMap(({request_id, receiver: id, delivered}): readonly NotifiablePair[] => {
    const receiver = interested.get(id);
    if (!receiver || delivered.length === 0) return [];
    const approval = approvals.get(request_id);
    return approval && !isWaiting(approval) ? [{approval, receiver}] : [];
  });
  return [...waiting.flatMap((approval) => receivers.map((receiver) => ({approval, receiver}))), ...over];
}
