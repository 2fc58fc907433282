// Notifications about requests for approval. A process records that it begins an attempt before it sends, so that of all hosts of a state one
// sends each notification. It records the outcome afterwards. If it dies in between, the notification is sent again with the same id.
import type {NotificationReceiver} from '@lumenflow/schemas';
import type {StandingApproval} from '../approvals/approval-record.ts';
import type {Kernel} from '../context/kernel.ts';
import {notifiablePairs} from '../notifications/notifiable-pairs.ts';
import {notificationKey, type Occasion} from '../notifications/notification-record.ts';
import {nextNotification, type NextNotification, type NotificationTerms} from '../notifications/next-notification.ts';
import {periodMs} from '../notifications/period-ms.ts';
import type {NewEvent} from '../ports.ts';

/** An attempt that this process has begun. */
export interface DueNotification extends NextNotification {
  readonly receiver: NotificationReceiver;
  readonly approval: StandingApproval;
}

export interface NotificationOutcome {
  readonly request_id: string;
  readonly receiver: string;
  readonly occasion: Occasion;
  readonly attempt: number;
  readonly outcome: 'delivered' | 'failed' | 'given_up';
  /** After `failed`: how long to wait. */
  readonly retry_after_ms?: number;
  /** Why, or the status of the answer. Never contains an address. */
  readonly detail?: string;
}

const actor = 'kernel.notifications';
/** Attempts at the same time for one receiver in one process. */
const batchMax = 8;

/** Begins what is due now, and returns it. `except`: ids of receivers that must wait. */
export async function claimNotifications(
  kernel: Kernel,
  except: ReadonlySet<string> = new Set(),
): Promise<readonly DueNotification[]> {
  const notify = (kernel.workspace.spec.approvals?.notify ?? []).filter(({id}) => !except.has(id));
  if (notify.length === 0) return [];
  await kernel.ports.events.refresh();
  if (dueOf(kernel, notify).length === 0) return [];
  return await kernel.ports.events.transact(() => {
    const all = dueOf(kernel, notify);
    const result = notify.flatMap(({id}) => all.filter(({receiver}) => receiver.id === id).slice(0, batchMax));
    return {events: result.map((due) => beganEvent(kernel, due)), result};
  });
}

function dueOf(kernel: Kernel, notify: readonly NotificationReceiver[]): readonly DueNotification[] {
  const {state, workspace, ports, lifetimes} = kernel;
  const {remind_after = []} = workspace.spec.approvals ?? {};
  const terms: NotificationTerms = {
    at: (offsetMs) => ports.clock.timestamp(offsetMs),
    isAlive: (id) => ports.processes.isAlive(id),
    remindAfterMs: remind_after.map(periodMs).toSorted((a, b) => a - b),
  };
  const now = terms.at();
  return notifiablePairs(state, notify, now).flatMap(({approval, receiver}): readonly DueNotification[] => {
    const record = state.notifications.get(notificationKey({...approval, receiver: receiver.id}));
    const standing = lifetimes.approval(approval);
    const next = nextNotification(record, {approval: standing, receiver}, terms);
    return next ? [{...next, receiver, approval: standing}] : [];
  });
}

function beganEvent({ports}: Kernel, {approval, receiver, occasion, attempt}: DueNotification): NewEvent {
  return {
    type: 'notification_began',
    timestamp: ports.clock.timestamp(),
    actor,
    request_id: approval.request_id,
    receiver: receiver.id,
    occasion,
    attempt,
    process_id: ports.processes.processId,
  };
}

/** The outcome of an attempt that another process has taken over changes nothing. */
export async function endNotification(kernel: Kernel, ended: NotificationOutcome): Promise<void> {
  const {ports, state} = kernel;
  const {retry_after_ms, ...facts} = ended;
  await ports.events.transact(() => {
    const current = state.notifications.get(notificationKey(ended))?.attempt;
    if (current?.occasion !== ended.occasion || current.number !== ended.attempt)
      return {events: [], result: undefined};
    const retry_at = retry_after_ms === undefined ? undefined : ports.clock.timestamp(retry_after_ms);
    const event: NewEvent = {
      type: 'notification_ended',
      timestamp: ports.clock.timestamp(),
      actor,
      ...facts,
      ...(retry_at !== undefined && {retry_at}),
    };
    return {events: [event], result: undefined};
  });
}
