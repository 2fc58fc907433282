// What is opened inside a namespace for a list of rules: pure, so that it can be read in a test.
// An address and port that nobody listens on refuses a connection at once, which is how most of a denial is done.
import {ownAddresses, type AddressBook} from './address-book.ts';
import type {NetworkRule, RangeRule} from './network-rules.ts';
import {usualPorts} from './usual-ports.ts';

export interface Listener {
  /** `0.0.0.0` and `::` where a rule's addresses cannot be counted. */
  readonly address: string;
  readonly port: number;
}

export interface NamespacePlan {
  readonly listeners: readonly Listener[];
  /** Commands for `ip -batch`. Every address in them is one that we made or spelled anew. */
  readonly ipv4Setup: string;
  readonly ipv6Setup: string;
  /** Rules that hold in part, in words for a receipt. */
  readonly degraded: readonly string[];
}

const wildcards = {32: '0.0.0.0', 128: '::'} as const;

export function planNamespace(rules: readonly NetworkRule[], book: AddressBook): NamespacePlan {
  const ports = [...new Set([...rules.flatMap(({port}) => port ?? []), ...usualPorts])];
  const wanted = rules.flatMap((rule) => listenersOf(rule, book, ports));
  const everywhere = new Set(wanted.filter(isWildcard).map(keyOf));
  const listeners = [...new Map(wanted.map((listener) => [keyOf(listener), listener])).values()].filter(
    (listener) => isWildcard(listener) || !everywhere.has(keyOf({...listener, address: wildcardFor(listener)})),
  );
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
    degraded: rules
      .filter((rule): rule is RangeRule => rule.kind === 'range' && rule.port === undefined)
      .map(({text}) => `network ${text}: held to ${ports.length} usual ports; list \`address:port\` for another`),
  };
}

function listenersOf(rule: NetworkRule, book: AddressBook, ports: readonly number[]): readonly Listener[] {
  if (rule.kind === 'range') {
    const {range, port} = rule;
    const address = range.prefix === range.bits ? range.address : wildcards[range.bits];
    return (port === undefined ? ports : [port]).map((each) => ({address, port: each}));
  }
  const named = rule.kind === 'below' ? undefined : book.addressesOf(rule.host);
  const addresses = named === undefined ? Object.values(wildcards) : [named.ipv4, named.ipv6];
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
