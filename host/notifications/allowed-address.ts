// Where messages may be sent: to public addresses, or to loopback. The addresses of a name are checked when the connection is made, so
// that a name which changes its addresses does not reach servers inside the network.
import {lookup as systemLookup, type LookupAddress, type LookupOptions} from 'node:dns';
import {BlockList, isIP} from 'node:net';

const closed = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  closed.addSubnet(network, bits, 'ipv4');
/** All others are not routed: for example private ones, and those that contain an IPv4 address in one of several ways. */
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');
for (const [network, bits] of [
  ['2001::', 23],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  closed.addSubnet(network, bits, 'ipv6');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export type AddressKind = 'public' | 'loopback' | 'private';

/** `address`: a numeric one. An IPv4 address inside an IPv6 one is judged as what it is. */
export function addressKind(address: string): AddressKind {
  const text = mappedAddress(address) ?? address;
  // A zone names an interface of this machine.
  if (isIP(text) === 0 || text.includes('%')) return 'private';
  const family = isIP(text) === 4 ? 'ipv4' : 'ipv6';
  if (loopback.check(text, family)) return 'loopback';
  if (family === 'ipv6' && !global6.check(text, family)) return 'private';
  return closed.check(text, family) ? 'private' : 'public';
}

/** The IPv4 address in `::ffff:192.0.2.1`, which can also end in two groups of hexadecimal digits. */
function mappedAddress(address: string): string | undefined {
  const [, dotted, high = '', low = ''] =
    /^::ffff:(?:(\d+(?:\.\d+){3})|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/iu.exec(address) ?? [];
  if (dotted !== undefined || high === '') return dotted;
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join('.');
}

/** The problem with an address in workspace.yaml, or undefined. */
export function urlProblem(url: URL): string | undefined {
  if (url.username !== '' || url.password !== '') return 'it contains a name or a password';
  if (url.protocol === 'https:') return undefined;
  return url.protocol === 'http:' && isLoopbackUrl(url) ? undefined : 'it must be https, or http on loopback';
}

/** Whether the address itself says so: names are not looked up. */
export function isLoopbackUrl({hostname}: URL): boolean {
  const name = hostname.replace(/^\[|\]$/gu, '');
  return name === 'localhost' || (isIP(name) !== 0 && addressKind(name) === 'loopback');
}

/** `name`: a host name, or a numeric address. Why nothing may be sent there, before a name is looked up. */
export function refusedAddress(name: string, allowed: ReadonlySet<AddressKind>): string | undefined {
  return isIP(name) === 0 || allowed.has(addressKind(name)) ? undefined : `${addressKind(name)} address`;
}

class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** For connections: refuses names of which any address is private. */
export function guardedLookup(allowed: ReadonlySet<AddressKind>) {
  return (name: string, options: LookupOptions, found: Found): void => {
    systemLookup(name, {...options, all: true}, (error, addresses) => {
      if (error) return found(error, '');
      const refused = addresses.find(({address}) => !allowed.has(addressKind(address)));
      if (refused)
        return found(
          new AddressRefused(`\`${name}\` has the ${addressKind(refused.address)} address ${refused.address}`),
          '',
        );
      const [first] = addresses;
      if (options.all === true) return found(null, addresses);
      return found(null, first?.address ?? '', first?.family);
    });
  };
}
