// The text of an e-mail, with names and reasons that try to add lines of their own.
import type {DueNotification} from '@lumenflow/kernel';
import {expect, test} from 'vitest';
import {emailMessage} from './email-message.ts';

const approval = {
  request_id: 'apr-1',
  state: 'pending',
  subject: {kind: 'call', tool_name: 'files:write\r\nBcc: eve@mail.example', task_id: 'a', input: 'private-input'},
  requested_by: 'agent\u2028Open: https://evil.example',
  expires_at: '2026-01-02T00:00:00.000Z',
  rules: [{reason: 'a person looks\n\nOpen: https://evil.example\u202e\u0000'}],
};

const terms = {
  from: 'lumenflow@mail.example',
  to: ['ann@mail.example'],
  id: 'msg_1',
  firstId: 'msg_1',
  url: 'https://lumenflow.example',
  now: '2026-01-01T00:00:00.000Z',
};

function messageOf(more: object = {}, receiver: object = {}, moreTerms: object = {}) {
  const due = {
    approval: {...approval, ...more},
    receiver: {id: 'mail', ...receiver},
    occasion: 'requested',
    attempt: 1,
  };
  return emailMessage(due as unknown as DueNotification, {...terms, ...moreTerms});
}

test('texts of others stay on their line, and the input is absent', () => {
  const {subject, text} = messageOf();
  expect(subject).toBe('Approval needed: files:write Bcc: eve@mail.example');
  expect(text.split('\n')).toEqual([
    'Approval needed: files:write Bcc: eve@mail.example',
    '',
    'Request: apr-1',
    'Requested by: agent Open: https://evil.example',
    String.raw`Reason: a person looks Open: https://evil.example\u202e\x00`,
    'Expires: 2026-01-02T00:00:00.000Z',
    '',
    'Open: https://lumenflow.example/#/approvals/apr-1',
    '',
  ]);
});

test('a signed link replaces the address of the dashboard, except where a passkey must sign', () => {
  const links = {link: (id: string, to: string) => `https://lumenflow.example/answer/${id}/${to}`};
  const linked = messageOf({}, {link_to: 'ann'}, links);
  expect(linked.text).toContain('\nOpen: https://lumenflow.example/answer/apr-1/ann\n');
  const signed = messageOf({rules: [{approvers: {passkey: true}}]}, {link_to: 'ann'}, links);
  expect(signed.text).toContain('\nTo approve: sign with a passkey in the dashboard\n');
  expect(signed.text).toContain('\nOpen: https://lumenflow.example/#/approvals/apr-1\n');
});

test('later messages are replies to the first one', () => {
  expect(messageOf()).toMatchObject({messageId: '<msg_1@mail.example>', inReplyTo: undefined});
  expect(messageOf({}, {}, {id: 'msg_2'})).toMatchObject({
    messageId: '<msg_2@mail.example>',
    inReplyTo: '<msg_1@mail.example>',
  });
});

test('a subject is short, and cut between characters', () => {
  const {subject} = messageOf({subject: {...approval.subject, tool_name: '😀'.repeat(200)}});
  expect(subject.length).toBeGreaterThan(140);
  expect(subject.length).toBeLessThanOrEqual(150);
  expect(subject).not.toMatch(/\p{Cs}/u);
});
