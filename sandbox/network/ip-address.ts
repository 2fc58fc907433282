// Canonical addresses: lower case, the shortest form, and IPv4-mapped IPv6 as IPv4.
import {BlockList, SocketAddress, isIP, isIPv4} from 'node:net';

/** Undefined for what is not an address. An address with a zone (`%eth0`) is not one: it names an interface of one machine. */
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

/** Undefined if the text is not an address, or the prefix is not valid for its family. */
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

/** The 16 bytes of an IPv6 address in any notation without a zone. */
export function ipv6Bytes(address: string): Buffer {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const [, lead = '', ...parts] = dotted ?? [];
  const [a = 0, b = 0, c = 0, d = 0] = parts.map(Number);
  const text = dotted === null ? address : `${lead}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  const [head = '', tail = ''] = text.split('::').map((half) =>
    half
      .split(':')
      .map((group) => (group === '' ? '' : group.padStart(4, '0')))
      .join(''),
  );
  return Buffer.from(head + '0'.repeat(32 - head.length - tail.length) + tail, 'hex');
}
