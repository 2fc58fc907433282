// How the receivers of workspace.yaml were notified about one request: what people see beside it.
import type {NotificationReceiver} from '@lumenflow/schemas';
import {approvalAt, type ApprovalRecord} from '../approvals/approval-record.ts';
import type {Records} from '../records/record-table.ts';
import {notificationKey, type NotificationRecord, type NotificationResult} from './notification-record.ts';

/** The newest attempt that has ended; `waiting`: none has. */
export type NotificationStatus = {readonly receiver: string} & (NotificationResult | {readonly outcome: 'waiting'});

interface Known {
  readonly approvals: Pick<Records<ApprovalRecord>, 'get'>;
  readonly notifications: Pick<Records<NotificationRecord>, 'get'>;
}

/** One for each receiver that was notified, or will be. `now`: UTC ISO 8601 with milliseconds. */
export function notificationStatuses(
  {approvals, notifications}: Known,
  receivers: readonly NotificationReceiver[],
  {request_id, now}: {readonly request_id: string; readonly now: string},
): readonly NotificationStatus[] {
  const approval = approvals.get(request_id);
  const isPending = approval && approvalAt(approval, now).state === 'pending';
  return receivers.flatMap(({id: receiver}): readonly NotificationStatus[] => {
    const newest = notifications.get(notificationKey({request_id, receiver}))?.newest;
    if (newest) return [{receiver, ...newest}];
    return isPending ? [{receiver, outcome: 'waiting'}] : [];
  });
}
