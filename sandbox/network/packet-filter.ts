// The packet filter of a namespace, for nft. It denies nothing: a connection without a listener is refused anyway. It redirects
// every port of a range to a few sockets, and it keeps a list of refusals for the receipt.
import {carriers} from './namespace-plan.ts';
import {addressRange, type AddressRange} from './ip-address.ts';
import type {RefusedAttempt} from './network-policy.ts';

/** Number of refused destinations that are kept, per family. */
const refusedMax = 200;
/** Never carried as part of a wider range: addresses that a program itself listens on, and those assigned to names. */
const keptInside: readonly AddressRange[] = (
  [
    ['127.0.0.0', '8'],
    ['198.18.0.0', '15'],
    ['::1', '128'],
    ['fd00:6c66::', '32'],
  ] as const
).flatMap(([address, prefix]) => addressRange(address, prefix) ?? []);

export function packetFilter(carried: readonly AddressRange[]): string {
  return `table inet lumenflow {
  set refused4 { type ipv4_addr . inet_proto . inet_service; size ${refusedMax}; flags dynamic; counter; }
  set refused6 { type ipv6_addr . inet_proto . inet_service; size ${refusedMax}; flags dynamic; counter; }
  chain refusals {
    type filter hook output priority 0; policy accept;
    ${refusals.join('\n    ')}
  }
  chain carry {
    type nat hook output priority -100; policy accept;
    ${carried.flatMap(carry).join('\n    ')}
  }
}
`;
}

/** A reset without a sequence number is the kernel's answer to a first packet that had no listener. */
const firstPacketReset = 'tcp flags & (rst|ack) == rst|ack tcp sequence 0';
const refusals: readonly string[] = [
  `meta nfproto ipv4 ${firstPacketReset} update @refused4 { ip saddr . meta l4proto . tcp sport }`,
  `meta nfproto ipv6 ${firstPacketReset} update @refused6 { ip6 saddr . meta l4proto . tcp sport }`,
  'meta l4proto udp ip daddr != 127.0.0.0/8 update @refused4 { ip daddr . meta l4proto . udp dport }',
  'meta l4proto udp ip6 daddr != ::1 update @refused6 { ip6 daddr . meta l4proto . udp dport }',
];

function carry(range: AddressRange): readonly string[] {
  const family = range.bits === 32 ? 'ip' : 'ip6';
  const left = keptInside
    .filter(({bits}) => bits === range.bits)
    .filter((block) => range.prefix < block.prefix)
    .map(({address, prefix}) => `${family} daddr != ${address}/${prefix}`);
  const match = [`meta l4proto tcp ${family} daddr ${range.address}/${range.prefix}`, ...left].join(' ');
  return carriers.map(
    ({port, carriedPort}) => `${match}${carriedPort === undefined ? '' : ` tcp dport ${carriedPort}`} dnat to :${port}`,
  );
}

/** Parses the output of `nft -j list sets`. Throws SyntaxError if it is not JSON. */
export function readRefusals(printed: string): readonly RefusedAttempt[] {
  const {nftables} = JSON.parse(printed) as {nftables: readonly {set?: {elem?: readonly ListedRefusal[]}}[]};
  return nftables
    .flatMap(({set}) => set?.elem ?? [])
    .map(({elem: {val, counter}}) => {
      const [address, protocol, port] = val.concat;
      return {address, protocol, port, attempts: counter.packets};
    });
}

interface ListedRefusal {
  readonly elem: {
    readonly val: {readonly concat: readonly [address: string, protocol: RefusedAttempt['protocol'], port: number]};
    readonly counter: {readonly packets: number};
  };
}
