// The addresses assigned to names inside one namespace. Programs inside connect to them, and the destination address of a
// connection then identifies the name.
import {matchesName, type HostRule, type NetworkRule} from './network-rules.ts';

export interface NameAddresses {
  readonly ipv4: string;
  readonly ipv6: string;
}

export interface AddressBook {
  /** Undefined when no rule lists the name, or too many names have been asked for. `name` in lower case, without the last dot. */
  addressesOf(name: string): NameAddresses | undefined;
  nameAt(address: string): string | undefined;
}

/** Of addresses made as programs ask for names below a listed one. */
const namesMax = 4096;

export function createAddressBook(rules: readonly NetworkRule[]): AddressBook {
  const hostRules = rules.filter((rule): rule is HostRule => rule.kind !== 'range');
  const literals = new Set(rules.flatMap((rule) => (rule.kind === 'range' ? [rule.range.address] : [])));
  const addresses = new Map<string, NameAddresses>();
  const names = new Map<string, string>();
  let slot = 0;
  const assign = (name: string): NameAddresses => {
    let found: NameAddresses;
    do {
      slot += 1;
      found = addressesAt(slot);
    } while (literals.has(found.ipv4) || literals.has(found.ipv6));
    addresses.set(name, found);
    names.set(found.ipv4, name).set(found.ipv6, name);
    return found;
  };
  for (const rule of hostRules) if (rule.kind === 'host' && !addresses.has(rule.host)) assign(rule.host);
  return {
    addressesOf(name) {
      const known = addresses.get(name);
      if (known !== undefined) return known;
      if (addresses.size >= namesMax || !isHostName(name)) return undefined;
      return hostRules.some((rule) => matchesName(rule, name)) ? assign(name) : undefined;
    },
    nameAt: (address) => names.get(address),
  };
}

/** The namespace's own addresses are slot 0; 198.18.0.0/15 is reserved for benchmarks and in use on no network. */
export const ownAddresses: NameAddresses = addressesAt(0);

function addressesAt(slot: number): NameAddresses {
  const low = slot + 1;
  return {ipv4: `198.${18 + (low >> 16)}.${(low >> 8) & 255}.${low & 255}`, ipv6: `fd00:6c66::${low.toString(16)}`};
}

function isHostName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((part) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(part));
}
