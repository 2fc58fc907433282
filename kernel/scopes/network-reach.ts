// What may be reached over the network: a posture, and for an allowlist its entries, compared by what they mean.
import type {NetworkPosture} from '@lumenflow/schemas';
import {containsRange, parseIpRange} from './ip-range.ts';
import type {IpRange} from './ip-range.ts';
import {canonicalHost, meetEntries, rangeEntry} from './network-entry.ts';
import type {NetworkEntry} from './network-entry.ts';

export interface NetworkReach {
  /** Never `allowlist` without entries: that is `off`. */
  readonly posture: NetworkPosture;
  /** Empty unless the posture is `allowlist`. */
  readonly entries: readonly NetworkEntry[];
  /** The entries as written in grants, sorted. */
  readonly allowlist_entries: readonly string[];
}

export const networkOff: NetworkReach = {posture: 'off', entries: [], allowlist_entries: []};
export const networkFull: NetworkReach = {posture: 'full', entries: [], allowlist_entries: []};

/** Drops entries within others, and sorts. */
export function allowlist(entries: readonly NetworkEntry[]): NetworkReach {
  const distinct = [...new Map(entries.map((entry) => [entry.text, entry])).values()];
  const kept = distinct
    .filter((entry) => !distinct.some((other) => other !== entry && meetEntries(other, entry)?.text === entry.text))
    .toSorted((a, b) => (a.text < b.text ? -1 : 1));
  if (kept.length === 0) return networkOff;
  return {posture: 'allowlist', entries: kept, allowlist_entries: kept.map((entry) => entry.text)};
}

export function uniteReach(a: NetworkReach, b: NetworkReach): NetworkReach {
  return a.posture === 'full' || b.posture === 'full' ? networkFull : allowlist([...a.entries, ...b.entries]);
}

/** `off` anywhere is off; `full` leaves the other as it is; of two allowlists stays what both allow. */
export function intersectReach(a: NetworkReach, b: NetworkReach): NetworkReach {
  if (a.posture === 'full') return b;
  if (b.posture === 'full') return a;
  return allowlist(a.entries.flatMap((left) => b.entries.flatMap((right) => meetEntries(left, right) ?? [])));
}

/**
 * Whether a host name or an IP address (without brackets) may be reached on a port. A name is not looked up: an
 * address range allows addresses only. `full` leaves out host loopback, link-local and metadata addresses.
 */
export function isNetworkTargetAllowed(reach: NetworkReach, host: string, port: number): boolean {
  const target = networkTarget(host, port);
  if (target === undefined || reach.posture === 'off') return false;
  if (reach.posture === 'full') return !isHostOwn(target);
  return reach.entries.some((entry) => meetEntries(entry, target)?.text === target.text);
}

function networkTarget(host: string, port: number): NetworkEntry | undefined {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  const range = parseIpRange(host, undefined);
  if (typeof range !== 'string') return rangeEntry(range, port);
  const name = canonicalHost(host);
  return name === undefined ? undefined : {kind: 'host', text: `${name}:${port}`, host: name, port};
}

const hostOwnRanges: readonly IpRange[] = [
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

function isHostOwn(target: NetworkEntry): boolean {
  if (target.kind === 'range') return hostOwnRanges.some((range) => containsRange(range, target.range));
  return /^(.*\.)?localhost$|^metadata\.google\.internal$/.test(target.host);
}
