// A trial whose program prints something else must not count as a network that does not answer.
import {expect, test} from 'vitest';
import {networkFacts, peerAddress} from './network-trial.ts';

test('the result of a trial is used only if it is whole', () => {
  const whole = {answers: ['192.0.2.1:443'], tokens: []};
  expect(networkFacts(`${JSON.stringify(whole)}\n`)).toEqual(whole);
  const others = ['', '{', 'null', '[]', '{}', '{"answers": []}', '{"answers": 0, "tokens": []}'];
  const odd = ['{"answers": [], "tokens": [1]}', '(node:1) Warning\n{"answers": [], "tokens": []}', '<html>'];
  for (const printed of [...others, ...odd]) expect(networkFacts(printed), printed).toBeUndefined();
});

test('the peer has the address that its listener printed, or none', () => {
  expect(peerAddress('192.0.2.7\n')).toBe('192.0.2.7');
  expect(peerAddress('2001:db8::7\r\nmore\n')).toBe('2001:db8::7');
  expect(peerAddress('\n')).toBe('');
  for (const printed of ['', '192.0.2.7', '(node:1) Warning: 7\n', 'peer.example\n', '192.0.2.'])
    expect(peerAddress(printed), printed).toBeUndefined();
});
