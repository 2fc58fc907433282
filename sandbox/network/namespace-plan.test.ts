import {expect, test} from 'vitest';
import {createAddressBook} from './address-book.ts';
import {carriers, planFullNamespace, planNamespace} from './namespace-plan.ts';
import {parseNetworkRule} from './network-rules.ts';
import {usualPorts} from './usual-ports.ts';

function planWith(carriesAllPorts: boolean, ...entries: string[]) {
  const rules = entries.flatMap((text) => parseNetworkRule(text) ?? []);
  return planNamespace(rules, createAddressBook(rules), carriesAllPorts);
}
const plan = (...entries: string[]) => planWith(true, ...entries);
const listening = (...entries: string[]) => plan(...entries).listeners.map(({address, port}) => `${address} ${port}`);

test('names and addresses have listeners at their own address only', () => {
  expect(listening('api.test:443', '10.0.0.5:80', '[::1]:80')).toEqual([
    '198.18.0.2 443',
    'fd00:6c66::2 443',
    '10.0.0.5 80',
    '::1 80',
  ]);
});

test('large ranges have a listener for all addresses, which replaces those of single addresses on its port', () => {
  expect(listening('*.sub.test:443', 'api.test:443', 'api.test:80', '10.0.0.0/8:80')).toEqual([
    '0.0.0.0 443',
    ':: 443',
    'fd00:6c66::2 80',
    '0.0.0.0 80',
  ]);
});

test('each port of a range without a port is redirected to a few sockets', () => {
  const {listeners, carried, degraded} = plan('10.0.0.0/8', 'api.test:443');
  expect(listeners.map(({address, port}) => `${address} ${port}`)).toEqual([
    '198.18.0.2 443',
    'fd00:6c66::2 443',
    ...['0.0.0.0', '::'].flatMap((address) => carriers.map(({port}) => `${address} ${port}`)),
  ]);
  expect(carried.map(({address, prefix}) => `${address}/${prefix}`)).toEqual(['10.0.0.0/8']);
  expect(degraded).toEqual([]);
});

test('the full network is carried as a whole; programs inside keep every port but those of the carriers', () => {
  const {listeners, carried, degraded} = planFullNamespace(true);
  expect(new Set(listeners.map(({port}) => port))).toEqual(new Set(carriers.map(({port}) => port)));
  expect(carried.map(({address, prefix}) => `${address}/${prefix}`)).toEqual(['0.0.0.0/0', '::/0']);
  expect(degraded).toEqual([expect.stringContaining('other UDP and ICMP are refused')]);
});

test('without a packet filter only common ports have listeners, and the receipt says so', () => {
  expect(planFullNamespace(false)).toMatchObject({
    carried: [],
    degraded: [expect.anything(), expect.stringContaining('nft is not installed')],
  });
  expect(planFullNamespace(false).listeners).toHaveLength(usualPorts.length * 2);
  const {listeners, degraded} = planWith(false, '10.0.0.5/32', 'api.test:12345');
  const ports = listeners.filter(({address}) => address === '10.0.0.5').map(({port}) => port);
  expect(ports).toEqual([12_345, ...usualPorts]);
  expect(degraded).toEqual([expect.stringMatching(/^network 10\.0\.0\.5\/32: limited to \d+ common ports/)]);
  expect(planWith(false, '10.0.0.5:80').degraded).toEqual([]);
});

test('the interface gets IPv6 addresses; a listed address is never assigned to a name', () => {
  const {ipv4Setup, ipv6Setup, listeners} = plan('api.test:443', '198.18.0.2:443', '[2606:4700::1]:443');
  expect(listeners.map(({address}) => address)).toEqual(['198.18.0.3', 'fd00:6c66::3', '198.18.0.2', '2606:4700::1']);
  expect(ipv4Setup).toBe('link set lo up\naddr add 198.18.0.1/32 dev lo\nroute add local 0.0.0.0/0 dev lo\n');
  expect(ipv6Setup.split('\n')).toEqual([
    'addr add fd00:6c66::1/128 dev lo nodad',
    'addr add fd00:6c66::3/128 dev lo nodad',
    'addr add 2606:4700::1/128 dev lo nodad',
    'route add local ::/0 dev lo',
    '',
  ]);
});
