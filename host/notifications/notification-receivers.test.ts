// Addresses and secrets of receivers that cannot be used, and names that resolve to addresses inside the network.
import type {NotificationReceiver} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {addressKind, guardedLookup, isLoopbackUrl, urlProblem} from './allowed-address.ts';
import {openReceivers} from './notification-receivers.ts';

const open = (receiver: NotificationReceiver, env: Readonly<Record<string, string>> = {}) =>
  openReceivers({approvals: {notify: [receiver]}}, env);

const hook = {id: 'team', url: 'https://hooks.example/', secret_env: 'SECRET'};

test.each([
  ['http://hooks.example/x', 'it must be https, or http on loopback'],
  ['http://10.0.0.1/x', 'it must be https, or http on loopback'],
  ['https://ann:secret@hooks.example/', 'it contains a name or a password'],
  ['ftp://hooks.example/', 'it must be https, or http on loopback'],
  ['hooks', 'it is not an address'],
])('the address %s cannot be used', (address, problem) => {
  const use = () => open({id: 'team', url_env: 'HOOK'}, {HOOK: address});
  expect(use).toThrow(`the receiver \`team\` cannot be used: ${problem}`);
});

test('a missing variable, a weak secret and two receivers with one id are reported', () => {
  expect(() => open(hook)).toThrow('needs the environment variable SECRET: set it, and restart the host');
  for (const weak of ['whsec_', 'secret', `whsec_${Buffer.alloc(23).toString('base64')}`, `whsec_${'*'.repeat(40)}`])
    expect(() => open(hook, {SECRET: weak})).toThrow('it is not `whsec_` and 24 to 64 bytes as base64');
  const SECRET = `whsec_${Buffer.alloc(24).toString('base64')}`;
  expect(open(hook, {SECRET}).get('team')).toMatchObject({isInternal: false});
  const twice = () => openReceivers({approvals: {notify: [hook, hook]}}, {SECRET});
  expect(twice).toThrow('two receivers have the id `team`');
});

test.each([
  ['127.0.0.1', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['8.8.8.8', 'public'],
  ['2001:4860:4860::8888', 'public'],
  ['10.1.2.3', 'private'],
  ['169.254.169.254', 'private'],
  ['100.64.0.1', 'private'],
  ['0.0.0.0', 'private'],
  ['::', 'private'],
  ['::ffff:192.168.1.1', 'private'],
  ['::ffff:a9fe:a9fe', 'private'],
  ['64:ff9b::a00:1', 'private'],
  ['fd00::1', 'private'],
  ['fe80::1', 'private'],
  ['fe80::1%eth0', 'private'],
  ['fec0::1', 'private'],
  ['::127.0.0.1', 'private'],
  ['::ffff:0:127.0.0.1', 'private'],
  ['64:ff9b:1::a00:1', 'private'],
  ['100::1', 'private'],
  ['2001:0:7f00:1::', 'private'],
  ['2002:a00:1::', 'private'],
  ['4000::1', 'private'],
  ['localhost', 'private'],
])('%s is %s', (address, kind) => {
  expect(addressKind(address)).toBe(kind);
});

test.each([
  ['http://localhost:1/', true],
  ['http://LOCALHOST/', true],
  ['http://127.9.9.9/', true],
  ['http://2130706433/', true],
  ['http://0x7f.1/', true],
  ['http://[::1]/', true],
  ['http://[::ffff:127.0.0.1]/', true],
  ['http://localhost./', false],
  ['http://localhost.example/', false],
  ['http://127.0.0.1.example/', false],
  ['http://0/', false],
  ['http://intranet/', false],
  ['http://b\u00fccher.example/', false],
])('whether %s says that it is loopback: %s', (address, isLoopback) => {
  expect(isLoopbackUrl(new URL(address))).toBe(isLoopback);
  expect(urlProblem(new URL(address)) === undefined).toBe(isLoopback);
});

test('a name of loopback is refused when it is connected, unless its address says so', async () => {
  const look = (allowed: readonly ('public' | 'loopback')[]): Promise<Error | null> =>
    new Promise((resolve) => {
      guardedLookup(new Set(allowed))('localhost', {}, (error) => resolve(error));
    });
  expect(await look(['public'])).toMatchObject({name: 'AddressRefused'});
  expect(await look(['public', 'loopback'])).toBeNull();
});
