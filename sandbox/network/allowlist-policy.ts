// The network of an allowlist: its names and addresses, and nothing else.
import {failed, ok, type Outcome} from '../outcome.ts';
import {createAddressBook} from './address-book.ts';
import {planNamespace} from './namespace-plan.ts';
import {destinationOf, type NetworkPolicy} from './network-policy.ts';
import {hostRuleFor, rangeRulesFor} from './network-rules.ts';
import {parseAllowlist} from './parse-allowlist.ts';
import {createTargetResolver, type ResolveHost} from './resolve-target.ts';

export interface AllowlistInput {
  readonly entries: readonly string[];
  readonly resolveHost: ResolveHost;
  /** Whether the namespace can redirect any port to one socket. */
  readonly carriesAllPorts: boolean;
}

const listenersMax = 2000;
const unlisted = 'no entry allows it';

export function allowlistPolicy({entries, resolveHost, carriesAllPorts}: AllowlistInput): Outcome<NetworkPolicy> {
  const parsed = parseAllowlist(entries);
  if (!parsed.ok) return parsed;
  const rules = parsed.value;
  const book = createAddressBook(rules);
  const plan = planNamespace(rules, book, carriesAllPorts);
  if (plan.listeners.length > listenersMax) {
    const message = `the allowlist needs ${plan.listeners.length} listening sockets; the limit is ${listenersMax}`;
    return failed({message, help: 'list fewer ports and hosts'});
  }
  const targets = createTargetResolver(rules, resolveHost);
  return ok({
    plan,
    describeRefused({address, port, protocol}) {
      const destination = destinationOf(book.nameAt(address) ?? address, port);
      return {destination: protocol === 'udp' ? `${destination}/udp` : destination, problem: unlisted};
    },
    lookUp(name) {
      const found = book.addressesOf(name);
      return found === undefined
        ? {kind: 'refused', problem: 'no entry lists the name'}
        : {kind: 'found', ipv4: [found.ipv4], ipv6: [found.ipv6]};
    },
    judge(address, port) {
      const name = book.nameAt(address);
      const rule = name === undefined ? rangeRulesFor(rules, address, port)[0] : hostRuleFor(rules, name, port);
      return {
        attempt: {destination: destinationOf(name ?? address, port), rule: rule?.text},
        name,
        target: () =>
          rule === undefined
            ? failed(unlisted)
            : name === undefined
              ? targets.address(address, port)
              : targets.name(name, port),
      };
    },
  });
}
