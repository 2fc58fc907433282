// The entries of an allowlist as rules that connections are checked against. The kernel has checked them already. They are parsed
// again here because the input of this part decides what it opens.
import {addressRange, type AddressRange} from './ip-address.ts';

export type NetworkRule =
  | {readonly kind: 'host' | 'below'; readonly text: string; readonly host: string; readonly port: number}
  | {readonly kind: 'range'; readonly text: string; readonly range: AddressRange; readonly port: number | undefined};

export type HostRule = Extract<NetworkRule, {readonly host: string}>;
export type RangeRule = Extract<NetworkRule, {readonly range: AddressRange}>;

const rangeForms: readonly RegExp[] = [
  /^\[(?<address>[0-9a-f:.]+)\](?:\/(?<prefix>\d{1,3}))?(?::(?<port>\d{1,5}))?$/,
  /^(?<address>[0-9a-f:.]+)\/(?<prefix>\d{1,3})(?::(?<port>\d{1,5}))?$/,
  /^(?<address>\d+\.\d+\.\d+\.\d+):(?<port>\d{1,5})$/,
];
const hostForm = /^(?<wildcard>\*\.)?(?<host>[a-z0-9.-]{1,253}):(?<port>\d{1,5})$/;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Undefined for anything but an entry in the form that a grant uses. */
export function parseNetworkRule(text: string): NetworkRule | undefined {
  const groups = rangeForms.map((form) => form.exec(text)?.groups).find((found) => found !== undefined);
  return groups === undefined ? parseHostRule(text) : parseRangeRule(text, groups);
}

type Groups = Readonly<Record<string, string | undefined>>;

function parseRangeRule(text: string, {address = '', prefix, port: written}: Groups): RangeRule | undefined {
  const range = addressRange(address, prefix);
  const port = written === undefined ? undefined : Number(written);
  return range === undefined || !isPort(port ?? 1) ? undefined : {kind: 'range', text, range, port};
}

function parseHostRule(text: string): HostRule | undefined {
  const {wildcard, host = '', port: written}: Groups = hostForm.exec(text)?.groups ?? {};
  const port = Number(written);
  // A client would parse a name that ends in a number as an address.
  const sound = host.split('.').every((part) => label.test(part)) && !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(host);
  return sound && isPort(port) ? {kind: wildcard === undefined ? 'host' : 'below', text, host, port} : undefined;
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}

export function hostRuleFor(rules: readonly NetworkRule[], name: string, port: number): HostRule | undefined {
  return rules.find((rule): rule is HostRule => rule.kind !== 'range' && rule.port === port && matchesName(rule, name));
}

export function matchesName({kind, host}: HostRule, name: string): boolean {
  return kind === 'host' ? name === host : name.endsWith(`.${host}`);
}

export function rangeRulesFor(rules: readonly NetworkRule[], address: string, port: number): readonly RangeRule[] {
  return rules.filter(
    (rule): rule is RangeRule =>
      rule.kind === 'range' && (rule.port === undefined || rule.port === port) && rule.range.contains(address),
  );
}
