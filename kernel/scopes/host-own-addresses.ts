// The host's own addresses: loopback, link-local, and the sources of cloud credentials. A wide range, a wildcard or the posture `full`
// never covers them; each must be listed explicitly. The same applies to the ranges of IPv6 that map addresses of IPv4,
// which include these.
import {containsRange, parseIpRange} from './ip-range.ts';
import type {IpRange} from './ip-range.ts';

const ranges: readonly IpRange[] = [
  ['0.0.0.0', '8'],
  ['127.0.0.0', '8'],
  ['169.254.0.0', '16'],
  ['100.100.100.200', '32'],
  ['168.63.129.16', '32'],
  ['192.0.0.192', '32'],
  ['::', '96'],
  ['64:ff9b::', '96'],
  ['64:ff9b:1::', '48'],
  ['2001::', '32'],
  ['2002::', '16'],
  ['fe80::', '10'],
  ['fd00:ec2::254', '128'],
  ['fd20:ce::254', '128'],
].flatMap(([address = '', prefix]) => {
  const range = parseIpRange(address, prefix);
  return range.ok ? [range.value] : [];
});

export function isHostOwnRange(range: IpRange): boolean {
  return ranges.some((own) => containsRange(own, range));
}

/** In lower case. */
export function isHostOwnName(host: string): boolean {
  return /^(.*\.)?localhost$|^metadata\.google\.internal$/.test(host);
}
