// The notifications of a receiver about a request for approval, folded from their events.
import type {KernelEvent} from '@lumenflow/schemas';
import type {RecordTable} from '../records/record-table.ts';

type EventOf<T extends KernelEvent['type']> = Extract<KernelEvent, {type: T}>;

/** requested, reminder-1, reminder-2 and so on, closed. */
export type Occasion = string;

export interface NotificationRecord {
  readonly request_id: string;
  /** The id of the receiver in workspace.yaml. */
  readonly receiver: string;
  readonly delivered: readonly Occasion[];
  /** Never delivered: too many attempts failed, or there was nothing left to report. */
  readonly given_up: readonly Occasion[];
  /** The newest attempt, until it has succeeded or is not repeated. */
  readonly attempt?: NotificationAttempt;
  /** The newest attempt that has ended. */
  readonly newest?: NotificationResult;
}

export interface NotificationResult {
  readonly occasion: Occasion;
  readonly outcome: 'delivered' | 'failed' | 'given_up';
  readonly at: string;
  readonly attempt: number;
  readonly retry_at?: string;
  /** The status of the answer, or why there was none. */
  readonly detail?: string;
}

export interface NotificationAttempt {
  readonly occasion: Occasion;
  /** From 1. */
  readonly number: number;
  readonly process_id: string;
  readonly began_at: string;
  /** After a failure: the earliest time of the next attempt. */
  readonly retry_at?: string;
}

export function notificationKey({request_id, receiver}: Pick<NotificationRecord, 'request_id' | 'receiver'>): string {
  return `${request_id} ${receiver}`;
}

export function isOver({delivered, given_up}: NotificationRecord, occasion: Occasion): boolean {
  return delivered.includes(occasion) || given_up.includes(occasion);
}

/** Whether something can still be reported. */
export function isLive(record: NotificationRecord): boolean {
  return !isOver(record, 'closed');
}

export function evolveNotification(table: RecordTable<NotificationRecord>, event: KernelEvent): void {
  if (event.type !== 'notification_began' && event.type !== 'notification_ended') return;
  const key = notificationKey(event);
  const {request_id, receiver} = event;
  const before = table.get(key) ?? {request_id, receiver, delivered: [], given_up: []};
  table.set(key, event.type === 'notification_began' ? began(before, event) : ended(before, event));
}

function began(before: NotificationRecord, event: EventOf<'notification_began'>): NotificationRecord {
  const {occasion, attempt: number, process_id, timestamp: began_at} = event;
  return {...before, attempt: {occasion, number, process_id, began_at}};
}

function ended(before: NotificationRecord, event: EventOf<'notification_ended'>): NotificationRecord {
  const {occasion, outcome, retry_at} = event;
  const {attempt, ...rest} = {...before, newest: resultOf(event)};
  if (outcome === 'failed' && attempt && retry_at !== undefined) return {...rest, attempt: {...attempt, retry_at}};
  const list = outcome === 'delivered' ? 'delivered' : 'given_up';
  return {...rest, [list]: [...before[list], occasion]};
}

function resultOf({
  occasion,
  outcome,
  timestamp: at,
  attempt,
  retry_at,
  detail,
}: EventOf<'notification_ended'>): NotificationResult {
  return {
    occasion,
    outcome,
    at,
    attempt,
    ...(retry_at !== undefined && {retry_at}),
    ...(detail !== undefined && {detail}),
  };
}
