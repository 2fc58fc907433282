// What may be reached over the network: a posture, and for an allowlist its entries, compared by what they mean.
import type {NetworkPosture} from '@lumenflow/schemas';
import {parseIpRange} from './ip-range.ts';
import {canonicalHost, isHostOwn, meetEntries, rangeEntry} from './network-entry.ts';
import type {NetworkEntry} from './network-entry.ts';

export interface NetworkReach {
  /** Never `allowlist` without entries: that is `off`. `full` is all but the host's own addresses. */
  readonly posture: NetworkPosture;
  /** Of an allowlist all; under `full` the host's own addresses that are listed beside it. */
  readonly entries: readonly NetworkEntry[];
  /** The entries as written in grants, sorted. */
  readonly allowlist_entries: readonly string[];
}

export const networkOff: NetworkReach = {posture: 'off', entries: [], allowlist_entries: []};
export const networkFull: NetworkReach = {posture: 'full', entries: [], allowlist_entries: []};
/** Of a layer that says nothing of the network and leaves it to the others, the host's own addresses included. */
export const networkAny: NetworkReach = {...networkFull};

/** Drops entries within others, and sorts. */
export function allowlist(entries: readonly NetworkEntry[]): NetworkReach {
  const kept = reduce(entries);
  if (kept.length === 0) return networkOff;
  return {posture: 'allowlist', entries: kept, allowlist_entries: kept.map((entry) => entry.text)};
}

function full(entries: readonly NetworkEntry[]): NetworkReach {
  const kept = reduce(entries.filter(isHostOwn));
  if (kept.length === 0) return networkFull;
  return {posture: 'full', entries: kept, allowlist_entries: kept.map((entry) => entry.text)};
}

function reduce(entries: readonly NetworkEntry[]): readonly NetworkEntry[] {
  const distinct = [...new Map(entries.map((entry) => [entry.text, entry])).values()];
  return distinct
    .filter((entry) => !distinct.some((other) => other !== entry && meetEntries(other, entry)?.text === entry.text))
    .toSorted((a, b) => (a.text < b.text ? -1 : 1));
}

export function uniteReach(a: NetworkReach, b: NetworkReach): NetworkReach {
  const entries = [...a.entries, ...b.entries];
  return a.posture === 'full' || b.posture === 'full' ? full(entries) : allowlist(entries);
}

/** `off` anywhere is off; `full` leaves of the other all but the host's own addresses, which both must list. */
export function intersectReach(a: NetworkReach, b: NetworkReach): NetworkReach {
  if (a === networkAny) return b;
  if (b === networkAny) return a;
  const met = a.entries.flatMap((left) => b.entries.flatMap((right) => meetEntries(left, right) ?? []));
  if (a.posture === 'full' && b.posture === 'full') return full(met);
  return allowlist([...met, ...leftByFull(a, b), ...leftByFull(b, a)]);
}

function leftByFull({entries}: NetworkReach, other: NetworkReach): readonly NetworkEntry[] {
  return other.posture === 'full' ? entries.filter((entry) => !isHostOwn(entry)) : [];
}

/**
 * Whether a host name or an IP address (without brackets) may be reached on a port. A name is not looked up: an
 * address range allows addresses only. The host's own addresses are reached only by entries that lie within them.
 */
export function isNetworkTargetAllowed(reach: NetworkReach, host: string, port: number): boolean {
  const target = networkTarget(host, port);
  if (target === undefined || reach.posture === 'off') return false;
  if (reach.posture === 'full' && !isHostOwn(target)) return true;
  return reach.entries.some((entry) => meetEntries(entry, target)?.text === target.text);
}

function networkTarget(host: string, port: number): NetworkEntry | undefined {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  const range = parseIpRange(host, undefined);
  if (range.ok) return rangeEntry(range.value, port);
  const name = canonicalHost(host);
  return name === undefined ? undefined : {kind: 'host', text: `${name}:${port}`, host: name, port};
}
