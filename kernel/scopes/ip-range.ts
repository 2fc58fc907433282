// Address ranges of IPv4 and IPv6. Bounds are hexadecimal digits of one width per family, so that comparing
// ranges is comparing strings. An IPv4 address mapped into IPv6 is the IPv4 address.
import {failed, ok, type Outcome} from '../outcome.ts';

export interface IpRange {
  readonly first: string;
  readonly last: string;
  /** `address/prefix` in canonical form. */
  readonly text: string;
  readonly single: boolean;
}

/** Why a text is not a range, for a message. */
export type IpRangeProblem =
  | 'the address is not valid'
  | 'the prefix length is out of range'
  | 'the address has bits set beyond its prefix';

const mappedPrefix = '00000000000000000000ffff';

/** Parses `address` or `address/prefix`. Only the plain dotted form of IPv4: no hexadecimal, octal or short forms. */
export function parseIpRange(address: string, prefix: string | undefined): Outcome<IpRange, IpRangeProblem> {
  const written = parseIpv4(address) ?? parseIpv6(address);
  if (written === undefined) return failed('the address is not valid');
  if (prefix !== undefined && !/^(0|[1-9][0-9]{0,2})$/.test(prefix)) return failed('the prefix length is out of range');
  const writtenBits = prefix === undefined ? written.length * 4 : Number(prefix);
  if (writtenBits > written.length * 4) return failed('the prefix length is out of range');
  const mapped = written.length === 32 && written.startsWith(mappedPrefix) && writtenBits >= 96;
  const digits = mapped ? written.slice(24) : written;
  const bits = mapped ? writtenBits - 96 : writtenBits;
  const first = withLowBits(digits, bits, '0');
  if (first !== digits) return failed('the address has bits set beyond its prefix');
  const single = bits === digits.length * 4;
  return ok({first, last: withLowBits(digits, bits, '1'), text: `${writeAddress(digits)}/${bits}`, single});
}

export function containsRange(outer: IpRange, inner: IpRange): boolean {
  return outer.first.length === inner.first.length && outer.first <= inner.first && inner.last <= outer.last;
}

function parseIpv4(address: string): string | undefined {
  const parts = address.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part) && Number(part) <= 255)) {
    return undefined;
  }
  return parts.map((part) => hex(Number(part), 2)).join('');
}

function parseIpv6(address: string): string | undefined {
  const halves = address.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(parseGroups);
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 32 ? head : undefined;
  if (tail === undefined || head.length + tail.length > 28) return undefined;
  return head + '0'.repeat(32 - head.length - tail.length) + tail;
}

/** Colon-separated groups as hexadecimal digits; the last may be an IPv4 address. */
function parseGroups(text: string): string | undefined {
  if (text === '') return '';
  let digits = '';
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    const ipv4 = index === groups.length - 1 ? parseIpv4(group) : undefined;
    if (ipv4 === undefined && !/^[0-9a-f]{1,4}$/i.test(group)) return undefined;
    digits += ipv4 ?? group.toLowerCase().padStart(4, '0');
  }
  return digits;
}

/** Sets every bit from `bits` on to `bit`. */
function withLowBits(digits: string, bits: number, bit: '0' | '1'): string {
  const kept = Math.floor(bits / 4);
  if (kept === digits.length) return digits;
  const mask = 0xf >> (bits % 4);
  const digit = Number.parseInt(digits.charAt(kept), 16);
  const border = bit === '0' ? digit & ~mask : digit | mask;
  return digits.slice(0, kept) + hex(border, 1) + (bit === '0' ? '0' : 'f').repeat(digits.length - kept - 1);
}

function writeAddress(digits: string): string {
  if (digits.length === 8) {
    return [0, 2, 4, 6].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)).join('.');
  }
  const groups = Array.from({length: 8}, (_, at) => Number.parseInt(digits.slice(at * 4, at * 4 + 4), 16).toString(16));
  const text = groups.join(':');
  const longest = (text.match(/\b0(:0\b)+/g) ?? []).toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? text : text.replace(new RegExp(`(^|:)${longest}(:|$)`), '::');
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}
