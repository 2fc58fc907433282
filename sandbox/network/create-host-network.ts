// The network of requests that the host itself makes for a call: its allowlist and nothing else, by the rules that also apply to
// calls in a sandbox. The host dials only addresses that it got from here.
import {failed, ok, type Outcome} from '../outcome.ts';
import type {GrantedScopes} from '@lumenflow/schemas';
import {canonicalAddress} from './ip-address.ts';
import {createNetworkAudit, type ConnectionSum, type NetworkAudit} from './network-audit.ts';
import {destinationOf} from './network-policy.ts';
import {hostRuleFor, rangeRulesFor, type NetworkRule} from './network-rules.ts';
import {parseAllowlist} from './parse-allowlist.ts';
import {createTargetResolver, resolveByHost, type ResolveHost} from './resolve-target.ts';

export interface HostNetwork {
  /** The same for grants of the same entries. */
  readonly key: string;
  /** Whether an entry lists the host name or the address. */
  lists(host: string, port: number): boolean;
  /** The addresses to dial for a host name or an address, or why none may be dialled. Each question counts as an attempt. */
  resolve(host: string, port: number): Promise<Outcome<readonly string[], string>>;
  report(): {readonly connections: readonly ConnectionSum[]; readonly denials: readonly string[]};
}

interface Found {
  readonly host: string;
  readonly address: string | undefined;
  readonly rule: NetworkRule | undefined;
}

/** For one call: names keep the addresses that they resolved to first. */
export function createHostNetwork(
  {posture, allowlist_entries}: GrantedScopes['network'],
  resolveHost: ResolveHost = resolveByHost,
): HostNetwork {
  const audit = createNetworkAudit();
  const parsed = parseAllowlist(posture === 'allowlist' ? allowlist_entries : []);
  const rules = parsed.ok ? parsed.value : [];
  const targets = createTargetResolver(rules, resolveHost);
  const ruleFor = (written: string, port: number): Found => {
    const host = written.toLowerCase().replace(/^\[(.*)\]$/u, '$1');
    const address = canonicalAddress(host);
    const rule = address === undefined ? hostRuleFor(rules, host, port) : rangeRulesFor(rules, address, port)[0];
    return {host, address, rule};
  };
  return {
    key: rules.map(({text}) => text).join(' '),
    report: () => audit.report(),
    lists: (host, port) => ruleFor(host, port).rule !== undefined,
    async resolve(written, port) {
      const {host, address, rule} = ruleFor(written, port);
      const attempt = {destination: destinationOf(address ?? host, port), rule: rule?.text};
      if (rule === undefined) return refused(audit, attempt, 'no entry of the allowlist allows it');
      const target = address === undefined ? await targets.name(host, port) : targets.address(address, port);
      if (!target.ok) return refused(audit, attempt, target.problem);
      audit.allow(attempt);
      return ok([...target.value]);
    },
  };
}

function refused(
  audit: NetworkAudit,
  attempt: Parameters<NetworkAudit['deny']>[0],
  problem: string,
): Outcome<readonly string[], string> {
  audit.deny(attempt, problem);
  return failed(`${attempt.destination}: ${problem}`);
}
