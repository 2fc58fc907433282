// Plans what to open inside a namespace for a list of rules, as a pure function that tests can read. An address and port without
// a listener refuses connections immediately, which is how most denials work.
import {ownAddresses, type AddressBook} from './address-book.ts';
import {addressRange, type AddressRange} from './ip-address.ts';
import type {NetworkRule, RangeRule} from './network-rules.ts';
import {usualPorts} from './usual-ports.ts';

export interface Listener {
  /** `0.0.0.0` and `::` for rules whose addresses cannot be enumerated. */
  readonly address: string;
  readonly port: number;
}

export interface NamespacePlan {
  readonly listeners: readonly Listener[];
  /** Commands for `ip -batch`. Every address in them was created here, or written in canonical form. */
  readonly ipv4Setup: string;
  readonly ipv6Setup: string;
  /** Ranges of which every port is open: the packet filter redirects each port to a socket of `carriers`. */
  readonly carried: readonly AddressRange[];
  /** What is enforced only partly, for a receipt. */
  readonly degraded: readonly string[];
}

/** Sockets that take connections for other ports than their own. Those of one port need not ask for which it was. */
export const carriers: readonly {readonly port: number; readonly carriedPort: number | undefined}[] = [
  {port: 65_533, carriedPort: 443},
  {port: 65_534, carriedPort: 80},
  {port: 65_535, carriedPort: undefined},
];

const wildcards = {32: '0.0.0.0', 128: '::'} as const;
const everywhere = Object.values(wildcards);

export function planNamespace(
  rules: readonly NetworkRule[],
  book: AddressBook,
  carriesAllPorts: boolean,
): NamespacePlan {
  const portless = rules.filter((rule): rule is RangeRule => rule.kind === 'range' && rule.port === undefined);
  const carried = carriesAllPorts ? portless.map(({range}) => range) : [];
  const ports = [...new Set([...rules.flatMap(({port}) => port ?? []), ...usualPorts])];
  const wanted = rules
    .filter((rule) => !carriesAllPorts || rule.port !== undefined)
    .flatMap((rule) => listenersOf(rule, book, ports));
  return planOf({
    listeners: withoutCovered([...wanted, ...(carried.length === 0 ? [] : carrierListeners())]),
    carried,
    degraded: carriesAllPorts
      ? []
      : portless.map(
          ({text}) => `network ${text}: limited to ${ports.length} common ports because nft is not installed`,
        ),
  });
}

/** For a network without rules. */
export function planFullNamespace(carriesAllPorts: boolean): NamespacePlan {
  const partial = 'network full: TCP and DNS lookups are carried; other UDP and ICMP are refused';
  return planOf(
    carriesAllPorts
      ? {
          listeners: carrierListeners(),
          carried: everywhere.flatMap((address) => addressRange(address, '0') ?? []),
          degraded: [partial],
        }
      : {
          listeners: everywhere.flatMap((address) => usualPorts.map((port) => ({address, port}))),
          carried: [],
          degraded: [
            partial,
            `network full: limited to ${usualPorts.length} common ports because nft is not installed`,
          ],
        },
  );
}

function planOf({
  listeners,
  carried,
  degraded,
}: Pick<NamespacePlan, 'listeners' | 'carried' | 'degraded'>): NamespacePlan {
  const ipv6 = [...new Set(listeners.map(({address}) => address).filter((address) => address.includes(':')))];
  return {
    listeners,
    ipv4Setup: [
      'link set lo up',
      `addr add ${ownAddresses.ipv4}/32 dev lo`,
      'route add local 0.0.0.0/0 dev lo',
      '',
    ].join('\n'),
    ipv6Setup: [
      // IPv6 binds to no address that a mere route makes local.
      ...[ownAddresses.ipv6, ...ipv6.filter((address) => address !== '::' && address !== '::1')].map(
        (address) => `addr add ${address}/128 dev lo nodad`,
      ),
      'route add local ::/0 dev lo',
      '',
    ].join('\n'),
    carried,
    degraded,
  };
}

function carrierListeners(): readonly Listener[] {
  return everywhere.flatMap((address) => carriers.map(({port}) => ({address, port})));
}

/** One of each, without those that a socket on every address includes. */
function withoutCovered(wanted: readonly Listener[]): readonly Listener[] {
  const wide = new Set(wanted.filter(isWildcard).map(keyOf));
  return [...new Map(wanted.map((listener) => [keyOf(listener), listener])).values()].filter(
    (listener) => isWildcard(listener) || !wide.has(keyOf({...listener, address: wildcardFor(listener)})),
  );
}

function listenersOf(rule: NetworkRule, book: AddressBook, ports: readonly number[]): readonly Listener[] {
  if (rule.kind === 'range') {
    const {range, port} = rule;
    const address = range.prefix === range.bits ? range.address : wildcards[range.bits];
    return (port === undefined ? ports : [port]).map((each) => ({address, port: each}));
  }
  const named = rule.kind === 'below' ? undefined : book.addressesOf(rule.host);
  const addresses = named === undefined ? everywhere : [named.ipv4, named.ipv6];
  return addresses.map((address) => ({address, port: rule.port}));
}

function isWildcard({address}: Listener): boolean {
  return address === '0.0.0.0' || address === '::';
}

function wildcardFor({address}: Listener): string {
  return address.includes(':') ? '::' : '0.0.0.0';
}

function keyOf({address, port}: Listener): string {
  return `${address} ${port}`;
}
