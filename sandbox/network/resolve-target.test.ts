import {expect, test} from 'vitest';
import {failed, ok} from '../outcome.ts';
import {parseNetworkRule} from './network-rules.ts';
import {createTargetResolver} from './resolve-target.ts';

const guarded = [
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '10.0.0.1',
  '172.31.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  'fe80::1',
  'fd00:ec2::254',
  'ff02::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
];

function resolver(entries: readonly string[], addresses: readonly string[]) {
  const asked: string[] = [];
  const rules = entries.flatMap((text) => parseNetworkRule(text) ?? []);
  expect(rules).toHaveLength(entries.length);
  const targets = createTargetResolver(rules, async (name) => {
    asked.push(name);
    if (addresses.length === 0) throw new Error('not found');
    return addresses;
  });
  return {asked, targets};
}

test.each(guarded)('a name does not lead to %s', async (address) => {
  const {targets} = resolver(['api.test:443', '0.0.0.0/0', '::/0'], [address]);
  expect(await targets.name('api.test', 443)).toEqual(failed(expect.stringContaining('which no entry lists')));
});

test('of several addresses only the public ones remain', async () => {
  const {targets} = resolver(['api.test:443'], ['10.0.0.1', '93.184.215.14', '::1', '2606:4700::1']);
  expect(await targets.name('api.test', 443)).toEqual(ok(['93.184.215.14', '2606:4700::1']));
});

test('a listed address is reachable, on its listed port', async () => {
  const {targets} = resolver(['api.test:443', 'api.test:80', '127.0.0.1:443', '10.0.0.0/8'], ['127.0.0.1', '10.1.1.1']);
  expect(await targets.name('api.test', 443)).toEqual(ok(['127.0.0.1', '10.1.1.1']));
  expect(await targets.name('api.test', 80)).toEqual(ok(['10.1.1.1']));
  expect(targets.address('127.0.0.1', 443)).toEqual(ok(['127.0.0.1']));
});

test('a range as wide as the internet does not list special addresses explicitly', () => {
  const {targets} = resolver(['0.0.0.0/0:80', '169.254.0.0/16', 'fc00::/7'], []);
  expect(targets.address('93.184.215.14', 80)).toEqual(ok(['93.184.215.14']));
  expect(targets.address('169.254.1.1', 80)).toEqual(ok(['169.254.1.1']));
  expect(targets.address('fd12::1', 80)).toEqual(ok(['fd12::1']));
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', 'fd00:ec2::254']) {
    expect([address, targets.address(address, 80)]).toEqual([address, failed(expect.any(String))]);
  }
});

test('a name is looked up once; one that failed is looked up again', async () => {
  const {asked, targets} = resolver(['api.test:443'], ['93.184.215.14']);
  await Promise.all([targets.name('api.test', 443), targets.name('api.test', 443)]);
  expect(asked).toEqual(['api.test']);
  const failing = resolver(['api.test:443'], []);
  expect(await failing.targets.name('api.test', 443)).toEqual(failed('it does not resolve (not found)'));
  await failing.targets.name('api.test', 443);
  expect(failing.asked).toHaveLength(2);
});
