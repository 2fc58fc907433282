import type {NotificationReceiver} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {readMailServer} from './mail-server.ts';
import {openReceivers} from './notification-receivers.ts';

test.each([
  ['smtps://mail.example', {host: 'mail.example', port: 465, isTls: true, isLoopback: false}],
  ['SMTP://Mail.Example/', {host: 'mail.example', port: 587, isTls: false, isLoopback: false}],
  ['smtp://mail.example:80', {host: 'mail.example', port: 80, isTls: false, isLoopback: false}],
  ['smtps://localhost:2465', {host: 'localhost', port: 2_465, isTls: true, isLoopback: true}],
  ['smtp://[::1]:25', {host: '::1', port: 25, isTls: false, isLoopback: true}],
  ['smtp://0x7f.1', {host: '127.0.0.1', port: 587, isTls: false, isLoopback: true}],
  ['smtp://localhost.example', {host: 'localhost.example', port: 587, isTls: false, isLoopback: false}],
])('%s is a mail server', (text, value) => {
  expect(readMailServer(text)).toEqual({ok: true, value});
});

const shape = 'it must be smtps://HOST or smtp://HOST, with or without a port';

test.each([
  ['https://mail.example', shape],
  ['smtp://', shape],
  ['smtp://mail.example/path', shape],
  ['smtp://mail.example?tls=off', shape],
  ['mail.example:25', shape],
  ['smtp://ann:secret@mail.example', 'it contains a name or a password: use `user_env` and `password_env`'],
  ['smtp://mail.example:99999', 'it is not an address'],
  ['smtp://mail.example:0', 'it is not an address'],
  ['smtp://mail example', 'it is not an address'],
])('%s is not a mail server', (text, problem) => {
  const email = {from: 'a@mail.example', to: ['b@mail.example']} as NonNullable<NotificationReceiver['email']>;
  const open = () => openReceivers({approvals: {notify: [{id: 'mail', url_env: 'MAIL', email}]}}, {MAIL: text});
  expect(open).toThrow(`the address of the receiver \`mail\` cannot be used: ${problem}`);
});

test('the user and the password come from the environment', () => {
  const email = {
    from: 'a@mail.example',
    to: ['b@mail.example'],
    user_env: 'USER_NAME',
    password_env: 'PASSWORD',
  } satisfies NotificationReceiver['email'];
  const spec = {approvals: {notify: [{id: 'mail', url: 'smtps://mail.example', email}]}} satisfies Parameters<
    typeof openReceivers
  >[0];
  expect(() => openReceivers(spec, {USER_NAME: 'u'})).toThrow('needs the environment variable PASSWORD');
  expect(openReceivers(spec, {USER_NAME: 'u', PASSWORD: 'p'}).get('mail')).toMatchObject({
    sign_in: {user: 'u', password: 'p'},
  });
});
