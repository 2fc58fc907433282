import type {NotificationReceiver} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {isOpen, type ApprovalRecord} from '../approvals/approval-record.ts';
import {RecordTable} from '../records/record-table.ts';
import {notifiablePairs} from './notifiable-pairs.ts';
import {isLive, notificationKey, type NotificationRecord} from './notification-record.ts';

const now = '2026-01-02T00:00:00.000Z';
const chat: NotificationReceiver = {id: 'chat', url: 'https://hooks.example/'};
const quiet: NotificationReceiver = {id: 'quiet', url: 'https://hooks.example/', also: []};

function pairsOf(
  requests: Readonly<Record<string, Pick<ApprovalRecord, 'state' | 'expires_at'>>>,
  records: readonly (readonly [string, string, ...string[]])[],
): readonly string[] {
  const approvals = new RecordTable<ApprovalRecord>(isOpen);
  for (const [request_id, more] of Object.entries(requests))
    approvals.set(request_id, {
      request_id,
      ...more,
      binding: '',
      subject: {kind: 'call', task_id: 'task-1', session_id: 's', policy_digest: ''},
      requested_by: 'agent',
      requested_at: '2026-01-01T00:00:00.000Z',
      rules: [],
      self_approval: false,
    });
  const notifications = new RecordTable<NotificationRecord>(isLive);
  for (const [request_id, receiver, ...delivered] of records)
    notifications.set(notificationKey({request_id, receiver}), {request_id, receiver, delivered, given_up: []});
  const pairs = notifiablePairs({approvals, notifications}, [chat, quiet], now);
  return pairs.map(({approval, receiver}) => `${approval.request_id} ${receiver.id}`);
}

const waiting = {state: 'pending', expires_at: '2026-01-03T00:00:00.000Z'} as const;
const expired = {state: 'pending', expires_at: now} as const;
const rejected = {...waiting, state: 'rejected'} as const;

test('a request that waits is looked at for every receiver, once', () => {
  expect(pairsOf({a: waiting}, [['a', 'chat', 'requested']])).toEqual(['a chat', 'a quiet']);
});

test('a request that is over is looked at only for receivers that were notified and want its end', () => {
  const records = [
    ['a', 'chat', 'requested'],
    ['a', 'quiet', 'requested'],
    ['a', 'removed', 'requested'],
    ['b', 'chat', 'requested'],
    ['b', 'quiet', 'requested'],
    ['c', 'chat'],
  ] as const;
  expect(pairsOf({a: expired, b: rejected, c: expired}, records)).toEqual(['a chat', 'b chat']);
});

test('requests that expired without a message, or whose end was reported, are not looked at', () => {
  expect(pairsOf({a: expired, b: expired}, [['a', 'chat', 'requested', 'closed']])).toEqual([]);
});
