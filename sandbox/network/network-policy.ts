// What a network of a sandbox allows: it decides on each name that is looked up inside and on each connection opened there.
import type {Attempt} from './network-audit.ts';
import type {NamespacePlan} from './namespace-plan.ts';
import type {Target} from './resolve-target.ts';

export interface NetworkPolicy {
  readonly plan: NamespacePlan;
  /** For a program inside. `name` in lower case, without the last dot. Never rejects. */
  lookUp(name: string): NameLookup | Promise<NameLookup>;
  /** Judges a connection that was opened inside to this address and port. */
  judge(address: string, port: number): Judgement;
  /** How to record an attempt without a listener; undefined if it does not concern the network. */
  describeRefused(attempt: RefusedAttempt): {readonly destination: string; readonly problem: string} | undefined;
}

/** An attempt that the kernel refused inside the namespace. */
export interface RefusedAttempt {
  readonly address: string;
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
  readonly attempts: number;
}

export type NameLookup =
  | {readonly kind: 'found'; readonly ipv4: readonly string[]; readonly ipv6: readonly string[]}
  | {readonly kind: 'unknown'}
  | {readonly kind: 'refused'; readonly problem: string};

export interface Judgement {
  readonly attempt: Attempt;
  /** The name that the first data of the client must match; undefined if it may send anything. */
  readonly name: string | undefined;
  /** What to dial for it, or why it is refused. */
  target(): Target | Promise<Target>;
}

/** `host:port`, with an IPv6 address in brackets. */
export function destinationOf(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
