import {createHash} from 'node:crypto';
import type {KernelEvent} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {createKernelState, restoreKernelState, type KernelState} from './kernel-state.ts';

const expiresAt = '2026-02-01T00:00:00.000Z';
const rules = [{decision: 'approval_required', layer: 'workspace', rule_id: 'ask'}];

/** Facts of every kind, of tasks and requests in every state. */
const events = [
  ...['a', 'b', 'c', 'd', 'e'].map((task_id) => ({
    type: 'task_created',
    task_id,
    lane_id: 'core',
    spec_hash: '1'.repeat(64),
  })),
  {type: 'task_amended', task_id: 'b', spec_hash: '2'.repeat(64)},
  // Claimed in another order than created.
  ...['d', 'b', 'a', 'c'].map((task_id) => ({
    type: 'task_claimed',
    task_id,
    run_id: `run-${task_id}`,
    session_id: 's',
  })),
  {type: 'task_blocked', task_id: 'a', reason: 'waits'},
  {type: 'task_completed', task_id: 'c', evidence_refs: ['rcp-1']},
  {type: 'task_cancelled', task_id: 'e', reason: 'not needed'},
  {type: 'task_released', task_id: 'd', reason: 'later'},
  ...['1', '2', '3', '4'].map((id) => ({
    type: 'approval_requested',
    request_id: `apr-${id}`,
    binding: `binding-${id === '4' ? '3' : id}`,
    subject: {kind: id === '1' ? 'changes' : 'call', task_id: 'a', session_id: 's', receipt_id: `rcp-${id}`},
    expires_at: expiresAt,
    rules,
  })),
  ...['one', 'other'].map((passkey_id) => ({
    type: 'person_passkey_added',
    name: 'Ann',
    passkey_id,
    public_key: 'AAAA',
    rp_id: 'lumenflow.example',
    origin: 'https://lumenflow.example',
    sign_count: 0,
    label: 'laptop',
  })),
  {
    type: 'approval_resolved',
    request_id: 'apr-2',
    approved: true,
    // The count is 1.
    assertion: {
      passkey_id: 'one',
      authenticator_data: `${'A'.repeat(49)}Q==`,
      client_data_json: '{}',
      signature: 'AAAA',
    },
  },
  {type: 'person_passkey_removed', name: 'Ann', passkey_id: 'other'},
  {type: 'approval_used', request_id: 'apr-2', used_by: 'rcp-9'},
  {type: 'approval_withdrawn', request_id: 'apr-3', reason: 'asked again'},
  {type: 'changes_settling', receipt_id: 'rcp-1', process_id: 'p', intent: 'apply'},
  {type: 'changes_settled', receipt_id: 'rcp-1', state: 'applied'},
  {
    type: 'call_counted',
    receipt_id: 'rcp-1',
    counts: [
      {key: 'k', amount: 2},
      {key: 'l', amount: 3, per_ms: 60_000},
    ],
  },
  {
    type: 'taint_added',
    receipt_id: 'rcp-2',
    taints: [
      {of: 'session s', source: {tool_name: 'web:fetch', receipt_id: 'rcp-2'}},
      {of: 'session s', source: {tool_name: 'web:fetch', receipt_id: 'rcp-1'}},
      {of: 'task a', source: {tool_name: 'web:fetch', receipt_id: 'rcp-2'}},
    ],
  },
  ...['4', '5'].map((digit) => ({
    type: 'person_signed_in',
    name: 'Ann',
    person: {issuer: 'https://login.example', subject: 's-1'},
    groups: ['staff'],
    token_sha256: digit.repeat(64),
    expires_at: expiresAt,
    via: 'browser',
  })),
  {type: 'person_signed_out', name: 'Ann', token_sha256: '4'.repeat(64), reason: 'signed out'},
  {type: 'person_signed_out', name: 'ann', reason: 'left'},
  ...[true, false].map((active) => ({
    type: 'person_provisioned',
    name: 'ann',
    user_id: 'usr-1',
    user_name: 'ann',
    active,
  })),
  {
    type: 'notification_began',
    request_id: 'apr-1',
    receiver: 'team',
    occasion: 'requested',
    attempt: 1,
    process_id: 'p',
  },
  {
    type: 'notification_ended',
    request_id: 'apr-1',
    receiver: 'team',
    occasion: 'requested',
    attempt: 1,
    outcome: 'delivered',
  },
  {type: 'notification_began', request_id: 'apr-1', receiver: 'team', occasion: 'closed', attempt: 1, process_id: 'p'},
  {
    type: 'notification_ended',
    request_id: 'apr-1',
    receiver: 'team',
    occasion: 'closed',
    attempt: 1,
    outcome: 'given_up',
  },
  {type: 'group_provisioned', group_id: 'grp-1', display_name: 'staff', add: ['usr-1', 'usr-2']},
  {type: 'group_provisioned', group_id: 'grp-1', display_name: 'staff', drop: ['usr-2']},
  {type: 'evidence_redacted', reason: 'personal', hashes: ['3'.repeat(64)]},
  {type: 'evidence_held', hold_id: 'hold-1', reason: 'a claim', covers: {tool_name: 'file:read'}},
  {type: 'evidence_held', hold_id: 'hold-2', reason: 'another', covers: {task_id: 'a'}},
  {type: 'evidence_hold_lifted', hold_id: 'hold-1', reason: 'settled'},
  {
    type: 'evidence_expired',
    rule: 'contents: 400d',
    before: '2025-01-01T00:00:00.000Z',
    through_seq: 9,
    complete_seq: 7,
    contents: 3,
  },
].map(
  (event, at) =>
    ({seq: at + 1, prev: '', timestamp: '2026-01-02T03:04:05.678Z', actor: 'ann', ...event}) as unknown as KernelEvent,
);

function factsOf(state: KernelState): unknown {
  return {
    tasks: [...state.tasks.values()],
    openTasks: new Set(state.tasks.open()),
    approvals: [...state.approvals.values()],
    changes: [...state.changes.values()],
    claimed: state.claimedBy('s'),
    asked: state.openApprovals('s'),
    newest: ['binding-1', 'binding-3', 'none'].map((binding) => state.approvalFor(binding)),
    used: ['k', 'l'].map((key) =>
      state.usage.used(key, Date.parse('2026-01-02T03:04:06Z'), key === 'l' ? 60_000 : undefined),
    ),
    tainted: ['session s', 'task a', 'task b'].map((name) => state.taint.of(name)),
    redacted: state.redacted,
    retention: state.retention,
    people: [...state.people.values()],
    signIns: [...state.signIns.values()],
    provisioned: [...state.provisioned.values()],
    groups: [...state.groups.values()],
    passkeys: [...state.passkeys.values()],
    notifications: [...state.notifications.values()],
    liveNotifications: new Set(state.notifications.open()),
  };
}

function fold(state: KernelState, some: readonly KernelEvent[]): KernelState {
  for (const event of some) state.apply(event);
  return state;
}

test('a state that was restored anywhere continues as if it had read all events', () => {
  const whole = factsOf(fold(createKernelState(), events));
  for (let at = 0; at <= events.length; at += 1) {
    const text = fold(createKernelState(), events.slice(0, at)).text();
    const restored = restoreKernelState(text);
    expect(restored?.text()).toBe(text);
    expect(restored && factsOf(fold(restored, events.slice(at)))).toEqual(whole);
  }
});

test('a passkey has the count of its newest signature', () => {
  const {passkeys} = fold(createKernelState(), events);
  expect([...passkeys.values()]).toMatchObject([{passkey_id: 'one', sign_count: 1}, {removed_by: 'ann'}]);
});

const late = (timestamp: string, more: object = {}): KernelEvent =>
  ({
    seq: events.length + 1,
    prev: '',
    timestamp,
    actor: 'ann',
    type: 'task_created',
    task_id: 'late',
    ...more,
  }) as unknown as KernelEvent;

test('unanswered requests are closed a day after their expiry, also by a state that was restored before', () => {
  const before = fold(createKernelState(), events);
  const restored = restoreKernelState(before.text());
  for (const state of [before, restored as KernelState]) {
    const open = (): readonly string[] => [...state.approvals.open()].map(({request_id}) => request_id);
    state.apply(late('2026-02-01T23:59:59.999Z'));
    expect(open()).toEqual(['apr-1', 'apr-4']);
    state.apply(late('not a time'));
    expect(open()).toEqual(['apr-1', 'apr-4']);
    state.apply(late('2026-02-02T00:00:00.000Z'));
    expect([open(), state.openApprovals('s')]).toEqual([[], []]);
    expect([...state.approvals.values()].map((approval) => approval.state)).toEqual([
      'expired',
      'used',
      'withdrawn',
      'expired',
    ]);
    // An answer that a host with another clock has recorded since counts as recorded.
    state.apply(late('2026-02-01T00:00:00.000Z', {type: 'approval_resolved', request_id: 'apr-1', approved: false}));
    expect(state.approvals.get('apr-1')?.state).toBe('rejected');
  }
  expect(restored?.text()).toBe(before.text());
});

test('a state of another version is not restored', () => {
  const text = fold(createKernelState(), events).text();
  expect(restoreKernelState(text.replace('"version":5,', '"version":4,'))).toBeUndefined();
});

test('the fold is that of its version: raise `version` in state-text.ts, and then this hash, if it has changed', () => {
  const text = fold(createKernelState(), events).text();
  expect(createHash('sha256').update(text).digest('hex')).toBe(
    'a92907d1ff583619df4d481ea9ceeecc66cd557162cdd80a486032ed35d00844',
  );
});

test.each([
  ['events', [], ['withdrawn', 'used', 'withdrawn', 'withdrawn']],
  ['traces', ['apr-1', 'apr-4'], ['pending', 'used', 'withdrawn', 'pending']],
])('a salvage of the %s leaves the requests %j open', (log, open, states) => {
  const salvage = {type: 'evidence_salvaged', actor: 'ann', timestamp: '2026-01-03T00:00:00.000Z', log, reason: 'disk'};
  const state = fold(createKernelState(), [...events, salvage as KernelEvent]);
  expect(state.openApprovals('s').map(({request_id}) => request_id)).toEqual(open);
  expect([...state.approvals.values()].map((approval) => approval.state)).toEqual(states);
});

test('a salvage of the events taints all that was there before, by a source that every rule names', () => {
  const salvage = {
    type: 'evidence_salvaged',
    actor: 'ann',
    timestamp: '2026-01-03T00:00:00.000Z',
    id: 'events-3-abcdef01',
    sessions: ['lost'],
    reason: 'disk',
  };
  const names = ['session s', 'session lost', 'programs lost', 'store p/notes'];
  const taintAfter = (log: string): readonly number[] => {
    const state = fold(createKernelState(), [...events, {...salvage, log} as KernelEvent]);
    const restored = restoreKernelState(state.text());
    expect(names.map((name) => restored?.taint.of(name))).toEqual(names.map((name) => state.taint.of(name)));
    for (const {task_id} of state.tasks.values()) {
      expect(state.taint.of(`task ${task_id}`).some((origin) => origin.receipt_id === salvage.id)).toBe(
        log === 'events',
      );
    }
    expect(state.taint.of('session new')).toEqual([]);
    return names.map(
      (name) => state.taint.of(name).filter(({tool_name}) => tool_name === 'kernel:evidence-salvage').length,
    );
  };
  expect(taintAfter('events')).toEqual([1, 1, 1, 1]);
  expect(taintAfter('traces')).toEqual([0, 0, 0, 0]);
});
