// Every transition of a request, from every state, before and after its expiry.
import {describe, expect, test} from 'vitest';
import type {ApprovalRecord} from './approval-record.ts';
import {decideResolution, decideUse, decideWithdrawal, findApproval} from './decide-approval.ts';
import {answerOf, decideRequest, type ApprovalQuestion} from './decide-request.ts';

const [now, later] = ['2026-01-02T00:00:00.000Z', '2026-01-09T00:00:00.000Z'];
const states = ['pending', 'approved', 'rejected', 'used', 'withdrawn'] as const;

function record(more: Partial<ApprovalRecord> = {}): ApprovalRecord {
  return {
    request_id: 'apr-1',
    binding: 'b',
    subject: {kind: 'call', task_id: 't', session_id: 's', policy_digest: 'p', preview_digest: 'one'},
    requested_by: 'ann',
    requested_at: now,
    expires_at: later,
    rules: [],
    self_approval: false,
    state: 'pending',
    ...more,
  };
}

const at = (timestamp: string) => ({timestamp, askers: ['ann', 'holder']});
const answer = {request_id: 'apr-1', approved: true, approved_by: 'bob'};

function outcome(result: ReturnType<typeof decideResolution>): string {
  return result.success ? result.data.type : result.error.code;
}

describe('an answer', () => {
  test.each([
    ['pending', 'approval_resolved', 'APPROVAL_EXPIRED'],
    ['approved', 'APPROVAL_RESOLVED', 'APPROVAL_EXPIRED'],
    ['rejected', 'APPROVAL_RESOLVED', 'APPROVAL_RESOLVED'],
    ['used', 'APPROVAL_RESOLVED', 'APPROVAL_RESOLVED'],
    ['withdrawn', 'APPROVAL_WITHDRAWN', 'APPROVAL_WITHDRAWN'],
  ] as const)('to a request that is %s: %s, after expiry %s', (state, before, after) => {
    expect(outcome(decideResolution(record({state}), answer, at(now)))).toBe(before);
    expect(outcome(decideResolution(record({state}), answer, at(later)))).toBe(after);
  });

  test.each(['ann', 'holder'])('of asker %s counts only with self_approval, or in band', (approved_by) => {
    const own = {...answer, approved_by};
    expect(outcome(decideResolution(record(), own, at(now)))).toBe('SELF_APPROVAL');
    expect(outcome(decideResolution(record({self_approval: true}), own, at(now)))).toBe('approval_resolved');
    const inband = {...own, channel: 'inband' as const};
    expect(outcome(decideResolution(record(), inband, at(now)))).toBe('SELF_APPROVAL');
    expect(outcome(decideResolution(record({inband: true}), inband, at(now)))).toBe('approval_resolved');
  });
});

test.each(states)('only an approved request is consumed, before its expiry: %s', (state) => {
  const use = (timestamp: string) => decideUse(record({state}), {timestamp, actor: 'ann', used_by: 'rcp-1'});
  expect(use(now)?.type).toBe(state === 'approved' ? 'approval_used' : undefined);
  expect(use(later)).toBeUndefined();
  expect(decideUse(undefined, {timestamp: now, actor: 'ann', used_by: 'rcp-1'})).toBeUndefined();
});

test.each(states)('only an asker withdraws an open request: %s', (state) => {
  const withdraw = (by: string, timestamp: string) =>
    outcome(decideWithdrawal(record({state}), {by, reason: 'r'}, at(timestamp)));
  const isOpen = state === 'pending' || state === 'approved';
  expect(withdraw('holder', now)).toBe(isOpen ? 'approval_withdrawn' : 'APPROVAL_RESOLVED');
  expect(withdraw('ann', later)).toBe('APPROVAL_RESOLVED');
  expect(withdraw('bob', now)).toBe('APPROVAL_OF_ANOTHER');
});

test.each(states)('a request that is %s has an answer while it is neither used, withdrawn nor expired', (state) => {
  const isAnswer = state !== 'used' && state !== 'withdrawn';
  expect(answerOf(record({state}), now)?.answer).toBe(isAnswer ? state : undefined);
  expect(answerOf(record({state}), later)?.answer).toBe(state === 'rejected' ? 'rejected' : undefined);
  expect(answerOf(undefined, now)).toBeUndefined();
});

describe('a new request', () => {
  const subject = {...record().subject, preview_digest: 'two'};
  const question: ApprovalQuestion = {subject, actor: 'ann', rules: [], self_approval: false, inband: false};
  const terms = {request_id: 'apr-2', binding: 'c', timestamp: now, expires_at: later, pendingMax: 1};
  const request = (open: readonly ApprovalRecord[]) => {
    const decided = decideRequest(open, question, terms);
    return decided.ok ? decided.value.map(({type}) => type) : decided.problem;
  };
  const another = record({request_id: 'apr-3', subject: {...subject, task_id: 'another'}});

  test('replaces an open one for the same call with other effects', () => {
    expect(request([record()])).toEqual(['approval_withdrawn', 'approval_requested']);
    expect(request([record({state: 'approved'})])).toEqual(['approval_withdrawn', 'approval_requested']);
  });

  test('is not made while the session waits for as many answers as it may', () => {
    expect(request([another])).toEqual({answer: 'too_many', max: 1, open: ['apr-3']});
    expect(request([{...another, state: 'approved'}])).toEqual(['approval_requested']);
    expect(request([{...another, expires_at: now}])).toEqual(['approval_requested']);
  });
});

test('a request that does not exist is not found', () => {
  expect(findApproval(new Map(), 'apr-1')).toMatchObject({success: false, error: {code: 'APPROVAL_NOT_FOUND'}});
});
