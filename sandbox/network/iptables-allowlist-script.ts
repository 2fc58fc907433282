// An allowlist as iptables rules, for a caller that has its own routed network namespace and runs this inside it before the tool
// starts. The sandbox itself does not use it: its namespace has no route.
import {isIPv4} from 'node:net';
import {parseNetworkRule, type NetworkRule} from './network-rules.ts';

type Command = readonly [program: 'iptables' | 'ip6tables', ...args: string[]];

const programs = ['iptables', 'ip6tables'] as const;

/**
 * A script for /bin/sh: loopback, established traffic and the entries (`host:port`, `address:port`, ranges) are
 * accepted, the rest is rejected at once. Names are looked up when it runs, and lookups themselves are not among
 * what is accepted. Throws RangeError for an entry that is malformed, or a `*.host`, which rules on addresses cannot say.
 */
export function buildIptablesAllowlistScript(entries: readonly string[]): string {
  const rules = entries.map(checkedRule);
  const lines = [
    // Everything is closed until all rules are in place.
    ...commands('-P', 'OUTPUT', 'DROP'),
    ...commands('-A', 'OUTPUT', '-o', 'lo', '-j', 'ACCEPT'),
    ...commands('-A', 'OUTPUT', '-m', 'conntrack', '--ctstate', 'ESTABLISHED,RELATED', '-j', 'ACCEPT'),
  ].map(shellLine);
  const accepted = rules.flatMap(acceptLines);
  const rejected = [
    ...commands('-A', 'OUTPUT', '-p', 'tcp', '-j', 'REJECT', '--reject-with', 'tcp-reset'),
    ...commands('-A', 'OUTPUT', '-j', 'REJECT'),
  ].map(shellLine);
  return ['#!/bin/sh', 'set -eu', ...lines, ...accepted, ...rejected, ''].join('\n');
}

function checkedRule(entry: string): NetworkRule {
  const rule = parseNetworkRule(entry);
  if (rule === undefined || rule.kind === 'below') {
    throw new RangeError(
      `\`${entry}\` cannot be an iptables rule: write \`host:port\`, \`address:port\`, \`range\` or \`range:port\``,
    );
  }
  return rule;
}

function acceptLines(rule: NetworkRule): readonly string[] {
  const port = rule.port === undefined ? [] : ['-p', 'tcp', '--dport', String(rule.port)];
  if (rule.kind === 'range') {
    const {address, prefix} = rule.range;
    const program = isIPv4(address) ? 'iptables' : 'ip6tables';
    return [shellLine([program, '-A', 'OUTPUT', '-d', `${address}/${prefix}`, ...port, '-j', 'ACCEPT'])];
  }
  // A name may have addresses of one family only; a missing rule accepts nothing.
  return commands('-A', 'OUTPUT', '-d', rule.host, ...port, '-j', 'ACCEPT').map((line) => `${shellLine(line)} || :`);
}

function commands(...args: readonly string[]): readonly Command[] {
  return programs.map((program) => [program, ...args]);
}

function shellLine(command: Command): string {
  return command
    .map((word) => (/^[A-Za-z0-9_.,:/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
