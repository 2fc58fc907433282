// The host's own addresses: loopback, link-local, and what clouds serve credentials from. A wide range, a wildcard or
// the posture `full` never covers them: whoever wants one of them lists it as such.
import {containsRange, parseIpRange} from './ip-range.ts';
import type {IpRange} from './ip-range.ts';

const ranges: readonly IpRange[] = [
  ['0.0.0.0', '8'],
  ['127.0.0.0', '8'],
  ['169.254.0.0', '16'],
  ['100.100.100.200', '32'],
  ['::', '127'],
  ['fe80::', '10'],
  ['fd00:ec2::254', '128'],
].flatMap(([address = '', prefix]) => {
  const range = parseIpRange(address, prefix);
  return typeof range === 'string' ? [] : [range];
});

export function isHostOwnRange(range: IpRange): boolean {
  return ranges.some((own) => containsRange(own, range));
}

/** In lower case. */
export function isHostOwnName(host: string): boolean {
  return /^(.*\.)?localhost$|^metadata\.google\.internal$/.test(host);
}
