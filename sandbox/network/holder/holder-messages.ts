// The messages between the host and the holder of a namespace.
export interface HolderOrders {
  readonly listeners: readonly {readonly address: string; readonly port: number}[];
  readonly dnsAddresses: readonly string[];
}

export type HolderMessage =
  /** With a net.Server beside it. */
  | {readonly type: 'tcp'}
  /** With a dgram.Socket beside it. */
  | {readonly type: 'dns'}
  | {readonly type: 'no_ipv6'}
  | {readonly type: 'ready'}
  | {readonly type: 'failed'; readonly problem: string};
