// Addresses in one spelling: lower case, the shortest form, IPv4 mapped into IPv6 as the IPv4 it is.
import {BlockList, SocketAddress, isIP, isIPv4} from 'node:net';

/** Undefined for what is not an address. Zones (`%eth0`) are none: they name an interface of one machine. */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (isIP(text) !== 6 || text.includes('%')) return undefined;
  const {address} = new SocketAddress({address: text, family: 'ipv6'});
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  return mapped ?? address;
}

export interface AddressRange {
  readonly address: string;
  readonly prefix: number;
  readonly bits: 32 | 128;
  contains(address: string): boolean;
}

/** Undefined when the text is no address, or the prefix is not one of its family. */
export function addressRange(text: string, prefixText: string | undefined): AddressRange | undefined {
  const address = canonicalAddress(text);
  if (address === undefined) return undefined;
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  const bits = family === 'ipv4' ? 32 : 128;
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  // A prefix of the mapped form counts other bits than it seems to.
  const isMapped = family === 'ipv4' && text.includes(':') && prefixText !== undefined;
  if (isMapped || !/^(0|[1-9]\d{0,2})$/.test(String(prefix)) || prefix > bits) return undefined;
  const block = new BlockList();
  block.addSubnet(address, prefix, family);
  return {
    address,
    prefix,
    bits,
    contains: (other) => isIPv4(other) === (family === 'ipv4') && block.check(other, family),
  };
}
