import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {canonicalAddress} from './ip-address.ts';
import {hostRuleFor, parseNetworkRule, rangeRulesFor} from './network-rules.ts';

const rules = (...texts: string[]) => texts.flatMap((text) => parseNetworkRule(text) ?? []);

test.each([
  ['api.test:443', {kind: 'host', host: 'api.test', port: 443}],
  ['*.api.test:8080', {kind: 'below', host: 'api.test', port: 8080}],
  ['10.0.0.5:443', {kind: 'range', port: 443, range: {address: '10.0.0.5', prefix: 32}}],
  ['10.0.0.0/8', {kind: 'range', port: undefined, range: {address: '10.0.0.0', prefix: 8}}],
  ['10.0.0.0/8:22', {kind: 'range', port: 22, range: {address: '10.0.0.0', prefix: 8}}],
  ['[::1]:443', {kind: 'range', port: 443, range: {address: '::1', prefix: 128}}],
  ['fd00::/8', {kind: 'range', port: undefined, range: {address: 'fd00::', prefix: 8}}],
  ['fd00::/8:443', {kind: 'range', port: 443, range: {address: 'fd00::', prefix: 8}}],
])('%s is an entry', (text, rule) => {
  expect(parseNetworkRule(text)).toMatchObject({...rule, text});
});

test.each([
  '',
  'api.test',
  'api.test:0',
  'api.test:65536',
  'api.test:443;id',
  '$(id).test:443',
  'a b:443',
  '-x.test:443',
  'api.test:443\n',
  '10.0.0.1',
  '1.2.3:443',
  '0x7f.1:443',
  '10.0.0.0/33',
  'fe80::1%eth0/64',
  '[api.test]:443',
  '*.*.test:443',
  '::ffff:10.0.0.0/8',
])('`%s` is none', (text) => {
  expect(parseNetworkRule(text)).toBeUndefined();
});

test('an entry contains no character with a meaning in a shell or a command file', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      if (parseNetworkRule(text) !== undefined) expect(text).toMatch(/^[a-z0-9.:/[\]*-]+$/);
    }),
  );
});

test('names and addresses match the entries that list them', () => {
  const list = rules('api.test:443', '*.sub.test:443', '10.0.0.0/8:443', '10.1.0.0/16', 'fd00::/8');
  const host = (name: string, port = 443) => hostRuleFor(list, name, port)?.text;
  expect([host('api.test'), host('x.api.test'), host('a.b.sub.test'), host('sub.test'), host('api.test', 80)]).toEqual([
    'api.test:443',
    undefined,
    '*.sub.test:443',
    undefined,
    undefined,
  ]);
  const range = (address: string, port: number) => rangeRulesFor(list, address, port).map(({text}) => text);
  expect(range('10.1.2.3', 443)).toEqual(['10.0.0.0/8:443', '10.1.0.0/16']);
  expect(range('10.1.2.3', 22)).toEqual(['10.1.0.0/16']);
  expect(range('fd12::1', 1)).toEqual(['fd00::/8']);
  expect(range('11.0.0.1', 443)).toEqual([]);
});

test.each([
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['::FFFF:7f00:1', '127.0.0.1'],
  ['FD00:0:0::0001', 'fd00::1'],
  ['fe80::1%lo', undefined],
  ['127.1', undefined],
])('%s is spelled %s', (text, spelled) => {
  expect(canonicalAddress(text)).toBe(spelled);
});
