// The network of posture `full`: everything except the host itself, its link and metadata services; private networks are
// included. Names resolve as on the host. LumenFlow checks the address that it dials, so a changed DNS record gains nothing.
import {isIPv4} from 'node:net';
import {failed, ok} from '../outcome.ts';
import {leadsToHost} from './guarded-addresses.ts';
import {canonicalAddress} from './ip-address.ts';
import {limitConcurrency} from './limit-concurrency.ts';
import {planFullNamespace} from './namespace-plan.ts';
import {destinationOf, type NameLookup, type NetworkPolicy} from './network-policy.ts';
import type {ResolveHost} from './resolve-target.ts';

export interface FullInput {
  readonly resolveHost: ResolveHost;
  /** Whether the namespace can redirect any port to one socket. */
  readonly carriesAllPorts: boolean;
}

/** Each lookup occupies one of the few threads that the host uses for file access. */
const lookupsAtOnce = 2;
/** Kept for the call; then forgotten and looked up again. */
const namesMax = 4096;
const leftOut = 'the network `full` excludes loopback, link-local and metadata addresses, and those of the host';

export function fullPolicy({resolveHost, carriesAllPorts}: FullInput): NetworkPolicy {
  const lookups = new Map<string, Promise<NameLookup>>();
  const names = new Map<string, string>();
  const inTurn = limitConcurrency(lookupsAtOnce);

  async function lookUp(name: string): Promise<NameLookup> {
    let found: readonly string[];
    try {
      const texts = await inTurn(() => resolveHost(name));
      found = texts.flatMap((text) => canonicalAddress(text) ?? []);
    } catch {
      // The client sees no difference between "not found" and "no answer": the name does not exist now, but may later.
      lookups.delete(name);
      return {kind: 'unknown'};
    }
    const usable = found.filter((address) => !leadsToHost(address));
    if (usable.length === 0) return {kind: 'refused', problem: `it resolves to ${found.join(', ')}: ${leftOut}`};
    for (const address of usable) names.set(address, name);
    return {kind: 'found', ipv4: usable.filter(isIPv4), ipv6: usable.filter((address) => !isIPv4(address))};
  }

  return {
    plan: planFullNamespace(carriesAllPorts),
    // A refused TCP connection goes to the program's own loopback.
    describeRefused: ({address, port, protocol}) =>
      protocol === 'udp'
        ? {
            destination: `${destinationOf(address, port)}/udp`,
            problem: 'the network `full` carries UDP for DNS lookups only',
          }
        : undefined,
    lookUp(name) {
      const known = lookups.get(name);
      if (known !== undefined) return known;
      if (lookups.size >= namesMax) {
        lookups.clear();
        names.clear();
      }
      const asked = lookUp(name);
      lookups.set(name, asked);
      return asked;
    },
    judge(address, port) {
      const name = names.get(address);
      return {
        attempt: {
          destination: destinationOf(address, port),
          rule: 'full',
          name,
        },
        name: undefined,
        target: () => (leadsToHost(address) ? failed(leftOut) : ok([address])),
      };
    },
  };
}
