import type {WorkspaceSpec} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {approvalReceivers} from './approval-receivers.ts';

type Approvals = NonNullable<WorkspaceSpec['approvals']>;

const good = {
  url: 'https://lumenflow.example',
  links: {key_env: 'KEY'},
  groups: {leads: ['ann'], constructor_: ['bob']},
} satisfies Approvals;
const hook = {id: 'chat', url: 'https://hooks.example/'} as const;

function problemsOf(approvals: Approvals, more: Partial<WorkspaceSpec> = {}): readonly string[] {
  const found = approvalReceivers({spec: {approvals, ...more}, locate: (pointer) => pointer});
  return found.map(({severity, message, where, help}) => `${severity} ${where}: ${message}; ${help ?? ''}`);
}

test('receivers with links for a person and a group that exists have no problem', () => {
  const notify: Approvals['notify'] = [
    {...hook, link_to: 'group:leads'},
    {...hook, id: 'ann', link_to: 'ann'},
    {...hook, id: 'plain'},
  ];
  expect(problemsOf({...good, notify, remind_after: ['6d']})).toEqual([]);
  expect(approvalReceivers({spec: {}, locate: String})).toEqual([]);
});

test.each([
  ['group:leeds', 'error /approvals/notify/0/link_to: there is no group `leeds`; did you mean `group:leads`?'],
  ['group:ops', 'error /approvals/notify/0/link_to: there is no group `ops`; define it in `approvals.groups`'],
  [
    'group:constructor',
    'error /approvals/notify/0/link_to: there is no group `constructor`; did you mean `group:constructor_`?',
  ],
  [
    'leads',
    'warning /approvals/notify/0/link_to: `leads` is a group, but `link_to` names a person; write `group:leads`',
  ],
])('`link_to: %s` is reported', (link_to, problem) => {
  expect(problemsOf({...good, notify: [{...hook, link_to}]})).toEqual([problem]);
});

test('links need a workspace that has them', () => {
  const notify: Approvals['notify'] = [{...hook, link_to: 'ann'}];
  const {links: _links, ...withoutLinks} = good;
  const {url: _url, ...withoutUrl} = good;
  expect(problemsOf({...withoutLinks, notify})).toEqual([
    'error /approvals/notify/0/link_to: `link_to` needs `approvals.links`; add `links` with a `key_env`',
  ]);
  expect(problemsOf({...withoutUrl, notify})[0]).toContain('`link_to` needs `approvals.url`');
  const sign_in = {
    issuer: 'https://login.example',
    client_id: 'x',
    roles: {admin: ['a']},
  } satisfies WorkspaceSpec['sign_in'];
  expect(problemsOf({...good, notify}, {sign_in: {...sign_in, roles: {admin: ['a']}}})[0]).toContain(
    'remove `link_to`',
  );
});

test('two receivers with one id, and reminders after the end of every request, are reported', () => {
  expect(problemsOf({notify: [hook, {...hook, id: 'x'}, hook]})).toEqual([
    'error /approvals/notify/2/id: two receivers have the id `chat`; rename one',
  ]);
  expect(problemsOf({expires_after: '2d', remind_after: ['1h', '48h', '3d']})).toEqual([
    'warning /approvals/remind_after/1: no reminder is sent after 48h: requests expire after 2d; use a shorter period, or remove it',
    'warning /approvals/remind_after/2: no reminder is sent after 3d: requests expire after 2d; use a shorter period, or remove it',
  ]);
  expect(problemsOf({remind_after: ['7d']})).toHaveLength(1);
});

const email = {from: 'a@mail.example', to: ['b@mail.example']} satisfies NonNullable<
  NonNullable<Approvals['notify']>[number]['email']
>;

test('a receiver of e-mail with a mail server has no problem', () => {
  const notify: Approvals['notify'] = [
    {id: 'mail', url: 'smtps://mail.example', email, link_to: 'ann'},
    {id: 'other', url_env: 'MAIL', email},
  ];
  expect(problemsOf({...good, notify})).toEqual([]);
});

test('the keys of e-mail and those of HTTP messages exclude each other', () => {
  const notify: Approvals['notify'] = [
    {id: 'a', url: 'smtp://mail.example'},
    {...hook, id: 'b', email},
    {id: 'c', url_env: 'MAIL', email, format: 'slack', secret_env: 'SECRET'},
  ];
  expect(problemsOf({...good, notify})).toEqual([
    'error /approvals/notify/0/url: a mail server needs `email`; add `email` with `from` and `to`',
    'error /approvals/notify/1/url: `email` needs a mail server; write smtps://HOST, or smtp://HOST',
    'error /approvals/notify/2/format: `format` does not apply to e-mail; remove it',
    'error /approvals/notify/2/secret_env: `secret_env` does not apply to e-mail; remove it',
  ]);
});
