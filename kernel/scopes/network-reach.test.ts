import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {parseNetworkEntry} from './network-entry.ts';
import {
  allowlist,
  intersectReach,
  isNetworkTargetAllowed,
  networkAny,
  networkFull,
  networkOff,
  uniteReach,
} from './network-reach.ts';
import type {NetworkReach} from './network-reach.ts';

const runs = {numRuns: Number(process.env['LUMENFLOW_PROPERTY_RUNS'] ?? 300)};

function listing(...texts: readonly string[]): NetworkReach {
  return allowlist(
    texts.map((text) => {
      const parsed = parseNetworkEntry(text);
      if (!parsed.ok) throw new Error(`${text}: ${parsed.problem.message}`);
      return parsed.value;
    }),
  );
}

// A world of few hosts, addresses and ports, and an oracle that reads entries of it by hand.
const hosts = ['a.x', 'b.a.x', 'x', 'a.y', ...Array.from({length: 8}, (_, last) => `10.0.0.${last}`)];
const targets = hosts.flatMap((host) => [80, 443].map((port) => ({host, port})));

function oracleAllows(entry: string, {host, port}: {host: string; port: number}): boolean {
  const [name = '', wanted] = entry.split(':');
  if (wanted !== undefined && Number(wanted) !== port) return false;
  if (name.startsWith('*.')) return host.endsWith(name.slice(1));
  const [address = '', bits = '32'] = name.split('/');
  if (!address.startsWith('10.')) return name === host;
  const block = 2 ** (32 - Number(bits));
  const lastOf = (text: string): number => Math.floor(Number(text.slice('10.0.0.'.length)) / block);
  return host.startsWith('10.') && lastOf(host) === lastOf(address);
}

const port = fc.constantFrom(80, 443);
const range = fc.tuple(fc.integer({min: 29, max: 32}), fc.nat(7)).map(([bits, last]) => {
  const block = 2 ** (32 - bits);
  return `10.0.0.${Math.floor(last / block) * block}/${bits}`;
});
const entry = fc.oneof(
  fc.tuple(fc.constantFrom('a.x', 'b.a.x', 'x', 'a.y', '*.x', '*.a.x', '*.y'), port).map((parts) => parts.join(':')),
  range,
  fc.tuple(range, port).map((parts) => parts.join(':')),
);
const entries = fc.array(entry, {minLength: 1, maxLength: 6});

function extent(reach: NetworkReach): unknown[] {
  return targets.filter(({host, port}) => isNetworkTargetAllowed(reach, host, port));
}

describe('an allowlist', () => {
  test('allows what its entries say', () => {
    fc.assert(
      fc.property(entries, (list) => {
        expect(extent(listing(...list))).toEqual(
          targets.filter((target) => list.some((one) => oracleAllows(one, target))),
        );
      }),
      runs,
    );
  });

  test('intersected with another allows what both do, in canonical form', () => {
    fc.assert(
      fc.property(entries, entries, (a, b) => {
        const met = intersectReach(listing(...a), listing(...b));
        const both = targets.filter((target) => [a, b].every((list) => list.some((one) => oracleAllows(one, target))));
        expect(extent(met)).toEqual(both);
        expect(met.posture).toBe(both.length === 0 ? 'off' : 'allowlist');
        expect(intersectReach(listing(...b), listing(...a))).toEqual(met);
        expect(intersectReach(met, met)).toEqual(met);
      }),
      runs,
    );
  });

  test('keeps no entry within another', () => {
    expect(listing('a.x:80', '*.x:80', '10.0.0.1:80', '10.0.0.0/8', '10.0.0.0/8:443').allowlist_entries).toEqual([
      '*.x:80',
      '10.0.0.0/8',
    ]);
  });
});

test('off anywhere is off, full leaves the other as it is', () => {
  const some = listing('a.x:80');
  expect(intersectReach(networkOff, networkFull)).toBe(networkOff);
  expect(intersectReach(networkFull, networkOff)).toBe(networkOff);
  expect(intersectReach(networkOff, some)).toEqual(networkOff);
  expect(intersectReach(networkFull, some)).toEqual(some);
  expect(intersectReach(some, networkFull)).toEqual(some);
  expect(intersectReach(networkFull, networkFull)).toBe(networkFull);
});

test('scopes of one layer unite', () => {
  expect(uniteReach(listing('a.x:80'), listing('a.y:80')).allowlist_entries).toEqual(['a.x:80', 'a.y:80']);
  expect(uniteReach(networkOff, listing('a.x:80')).posture).toBe('allowlist');
  expect(uniteReach(listing('a.x:80'), networkFull)).toBe(networkFull);
  expect(uniteReach(networkOff, networkOff)).toEqual(networkOff);
});

describe('the host’s own addresses', () => {
  const texts = [
    '127.0.0.1:80',
    '127.0.0.0/8',
    '0.0.0.0/0',
    '126.0.0.0/7:80',
    '169.254.169.254:80',
    '100.100.100.0/24',
    '[::1]:80',
    '::/0',
    'localhost:80',
    '*.localhost:80',
    'metadata.google.internal:80',
    '*.internal:80',
    '*.x:80',
    '10.0.0.1:80',
  ];
  const own = ['127.0.0.1', '127.9.9.9', '169.254.169.254', '100.100.100.200', '::1', 'localhost', 'a.localhost'];
  const named = [...own, 'metadata.google.internal', 'a.x', 'b.internal', '10.0.0.1', '126.1.1.1', '2001:db8::1'];
  const layer = fc.oneof(
    fc.constant(networkFull),
    fc.subarray(texts, {minLength: 1}).map((list) => listing(...list)),
    fc.subarray(texts).map((list) => uniteReach(networkFull, listing(...list))),
  );
  const reached = (reach: NetworkReach): readonly string[] =>
    named.filter((host) => isNetworkTargetAllowed(reach, host, 80));

  test('layers meet in what each of them reaches, and unite in what one of them does', () => {
    fc.assert(
      fc.property(layer, layer, (a, b) => {
        const both = reached(a).filter((host) => reached(b).includes(host));
        expect(reached(intersectReach(a, b))).toEqual(both);
        expect(reached(intersectReach(b, a))).toEqual(both);
        const either = named.filter((host) => reached(a).includes(host) || reached(b).includes(host));
        expect(reached(uniteReach(a, b))).toEqual(either);
      }),
      runs,
    );
  });

  test('are reached only where every layer lists them as such', () => {
    const local = listing('127.0.0.1:80', 'localhost:80', 'a.x:80');
    expect(intersectReach(networkFull, local).allowlist_entries).toEqual(['a.x:80']);
    expect(intersectReach(listing('0.0.0.0/0'), local).posture).toBe('off');
    expect(intersectReach(listing('127.0.0.0/8'), local).allowlist_entries).toEqual(['127.0.0.1:80']);
    expect(intersectReach(uniteReach(networkFull, listing('127.0.0.0/8')), local).allowlist_entries).toEqual([
      '127.0.0.1:80',
      'a.x:80',
    ]);
    expect(reached(listing('0.0.0.0/0', '::/0'))).toEqual(['10.0.0.1', '126.1.1.1', '2001:db8::1']);
  });

  test('are left to the other layers by one that says nothing', () => {
    const local = listing('127.0.0.1:80');
    expect(intersectReach(networkAny, local)).toBe(local);
    expect(intersectReach(local, networkAny)).toBe(local);
    expect(intersectReach(networkAny, networkFull)).toBe(networkFull);
  });
});

describe('a target', () => {
  const reach = listing('a.x:80', '10.0.0.0/8', '[2001:db8::1]:443');
  test.each([
    ['A.X.', 80, true],
    ['a.x', 443, false],
    ['a.x', 0, false],
    ['a.x', 80.5, false],
    ['a.x:80', 80, false],
    ['', 80, false],
    ['10.9.9.9', 1, true],
    ['::ffff:10.9.9.9', 1, true],
    ['012.9.9.9', 1, false],
    ['10.9', 1, false],
    ['2001:DB8:0::1', 443, true],
    ['2001:db8::2', 443, false],
  ])('%s on %d: %s', (host, port, allowed) => {
    expect(isNetworkTargetAllowed(reach, host, port)).toBe(allowed);
  });

  test.each([
    ['example.com', true],
    ['93.184.216.34', true],
    ['10.0.0.1', true],
    ['127.0.0.1', false],
    ['127.9.9.9', false],
    ['0.0.0.0', false],
    ['::1', false],
    ['::', false],
    ['::ffff:127.0.0.1', false],
    ['localhost', false],
    ['a.LOCALHOST.', false],
    ['169.254.169.254', false],
    ['100.100.100.200', false],
    ['fe80::1', false],
    ['fd00:ec2::254', false],
    ['fd20:ce::254', false],
    ['168.63.129.16', false],
    ['192.0.0.192', false],
    ['::127.0.0.1', false],
    ['64:ff9b::7f00:1', false],
    ['64:ff9b:1::7f00:1', false],
    ['2002:7f00:1::1', false],
    ['2001::1', false],
    ['2001:db8::1', true],
    ['metadata.google.internal', false],
    ['not a host', false],
  ])('%s under full: %s', (host, allowed) => {
    expect(isNetworkTargetAllowed(networkFull, host, 80)).toBe(allowed);
    expect(isNetworkTargetAllowed(networkOff, host, 80)).toBe(false);
  });
});
