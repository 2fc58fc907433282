// Resolves a listed name or address to the addresses that may be dialled for it. A name is looked up once a call and keeps its
// addresses, so it cannot change to another machine while the call runs.
import {lookup} from 'node:dns/promises';
import {failed, ok, type Outcome} from '../outcome.ts';
import {isGuarded, isListedOnPurpose} from './guarded-addresses.ts';
import {canonicalAddress} from './ip-address.ts';
import {rangeRulesFor, type NetworkRule} from './network-rules.ts';

/** Every address of a host name, as this machine resolves it. Rejects when there is none. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

/** The addresses, or why none may be dialled. */
export type Target = Outcome<readonly string[], string>;

export interface TargetResolver {
  name(name: string, port: number): Promise<Target>;
  address(address: string, port: number): Target;
}

export async function resolveByHost(name: string): Promise<readonly string[]> {
  const found = await lookup(name, {all: true, verbatim: true});
  return found.map(({address}) => address);
}

export function createTargetResolver(rules: readonly NetworkRule[], resolveHost: ResolveHost): TargetResolver {
  const pinned = new Map<string, Promise<readonly string[]>>();
  const isAllowed = (address: string, port: number): boolean =>
    !isGuarded(address) || isListedOnPurpose(address, rangeRulesFor(rules, address, port));

  async function resolved(name: string): Promise<readonly string[]> {
    const known = pinned.get(name);
    if (known !== undefined) return known;
    const asked = resolveHost(name).then((texts) => texts.flatMap((text) => canonicalAddress(text) ?? []));
    pinned.set(name, asked);
    // A name that failed to resolve now may resolve later.
    asked.catch(() => pinned.delete(name));
    return asked;
  }

  return {
    async name(name, port) {
      let addresses: readonly string[];
      try {
        addresses = await resolved(name);
      } catch (error) {
        return failed(`it does not resolve (${error instanceof Error ? error.message : String(error)})`);
      }
      const usable = addresses.filter((address) => isAllowed(address, port));
      if (usable.length > 0) return ok(usable);
      return failed(`it resolves to ${addresses.join(', ') || 'nothing'}, which no entry lists as an address`);
    },
    address: (address, port) =>
      isAllowed(address, port)
        ? ok([address])
        : failed('it is a loopback, private, link-local or metadata address, which no entry lists as an address'),
  };
}
