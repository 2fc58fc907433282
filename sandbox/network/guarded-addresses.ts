// Addresses that a name must not lead to and that a wide range does not cover. They are the host itself, its neighbours, and the
// metadata services of clouds. To use one of them, list it.
import {networkInterfaces} from 'node:os';
import {addressRange, canonicalAddress, type AddressRange} from './ip-address.ts';
import type {RangeRule} from './network-rules.ts';

const guardedBlocks: readonly AddressRange[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32', // Azure's metadata
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24', // Oracle's metadata among them
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '100.100.100.200/32',
  '169.254.169.254/32',
  // All of IPv6 except global addresses, and of those the ones that embed an IPv4 address or are reserved.
  '::/3',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  '4000::/2',
  '8000::/1',
  // Subranges of these: an entry for the wider block does not include them.
  '::1/128',
  'fc00::/7',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  'fe80::/10',
  'ff00::/8',
].flatMap(toRange);

/**
 * What no network of a sandbox includes, however wide: the host itself, its link, metadata services, and addresses that do not
 * belong to one machine.
 */
const hostBlocks: readonly AddressRange[] = [
  '0.0.0.0/8',
  '100.100.100.200/32',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  // These embed IPv4 addresses, any of the above among them.
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
].flatMap(toRange);

function toRange(text: string): readonly AddressRange[] {
  const [address = '', prefix] = text.split('/');
  const range = addressRange(address, prefix);
  return range === undefined ? [] : [range];
}

/** Returns the blocks of special addresses that contain this one; a public address of the host is a separate block. */
function guardsOf(address: string): readonly AddressRange[] {
  const guards = guardedBlocks.filter((block) => block.contains(address));
  if (guards.length > 0) return guards;
  return isOwnAddress(address) ? toRange(address) : [];
}

/** An address of a network interface of the host: its services may be meant for the host alone. */
function isOwnAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((entries) =>
    entries?.some((entry) => canonicalAddress(entry.address) === address),
  );
}

/** Whether the address leads to the host, to its link or to a metadata service. */
export function leadsToHost(address: string): boolean {
  return hostBlocks.some((block) => block.contains(address)) || isOwnAddress(address);
}

export function isGuarded(address: string): boolean {
  return guardsOf(address).length > 0;
}

/** Whether one of the rules, all of which cover the address, names it on purpose: it lies within every guarded block. */
export function isListedOnPurpose(address: string, covering: readonly RangeRule[]): boolean {
  const guards = guardsOf(address);
  return covering.some(({range}) =>
    guards.every((block) => range.prefix >= block.prefix && block.contains(range.address)),
  );
}
