import type {ApprovalRecord} from '@lumenflow/kernel';
import {expect, test} from 'vitest';
import {shownApproval} from './shown-approval.ts';

const at = '2026-01-08T00:00:00.000Z';
const pending: ApprovalRecord = {
  request_id: 'apr-1',
  binding: '0'.repeat(64),
  subject: {kind: 'claim', task_id: 'a', session_id: 's', policy_digest: '0'.repeat(64)},
  requested_by: 'bot',
  requested_at: '2026-01-01T00:00:00.000Z',
  expires_at: at,
  rules: [],
  self_approval: false,
  state: 'pending',
};

test.each([
  ['pending', 'expired'],
  ['approved', 'expired'],
  ['rejected', 'rejected'],
  ['used', 'used'],
] as const)('what was %s is %s once its time is over', (state, shown) => {
  const approval = {...pending, state};
  expect(shownApproval(approval, new Date(at)).state).toBe(shown);
  expect(shownApproval(approval, new Date(Date.parse(at) - 1))).toEqual(approval);
});
