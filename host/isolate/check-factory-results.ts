// Checks the results of a pack's factories: plain data from untrusted code, so every part of it is checked.
import {cutText} from '@lumenflow/kernel';
import {parsePattern} from '@lumenflow/kernel/adapters';
import type {PackManifest, PathScope, PolicyOutcome, PolicyTrigger} from '@lumenflow/schemas';

/** The factories' results without functions: `has_when` means that the rule of this index has one. */
export interface FactoryResults {
  readonly rules?: unknown;
  readonly capabilities?: unknown;
}

/** A rule as data. */
export interface RuleData {
  readonly id: string;
  readonly trigger: PolicyTrigger;
  readonly decision: PolicyOutcome;
  readonly reason?: string;
  readonly evidence_data?: readonly string[];
  readonly has_when: boolean;
}

export type NetworkEntryData = string | {readonly url_env: string};

/** Requirements as lists. */
export interface NeedsData {
  readonly required_scopes?: readonly PathScope[];
  readonly required_env?: readonly string[];
  readonly network_allowlist?: readonly NetworkEntryData[];
}

export interface InputCapabilityData {
  readonly property: string;
  readonly default?: string;
  readonly values: Readonly<Record<string, NeedsData>>;
}

export interface CapabilityData {
  readonly required_scopes?: Readonly<Record<string, readonly PathScope[]>>;
  readonly required_env?: Readonly<Record<string, readonly string[]>>;
  readonly network_allowlist?: Readonly<Record<string, readonly NetworkEntryData[]>>;
  readonly by_input?: Readonly<Record<string, InputCapabilityData>>;
}

const triggers: ReadonlySet<unknown> = new Set([
  'on_tool_request',
  'on_claim',
  'on_completion',
  'on_evidence_added',
  'on_changes',
  'on_tool_result',
]);
const decisions: ReadonlySet<unknown> = new Set(['allow', 'deny', 'approval_required']);
const ruleId = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/u;
const rulesMax = 1000;

export function checkRules(
  value: unknown,
  manifest: PackManifest,
): {readonly rules: readonly RuleData[]; readonly faults: readonly string[]} {
  if (!Array.isArray(value)) return {rules: [], faults: ['it must return a list of rules']};
  if (value.length > rulesMax) return {rules: [], faults: [`it returned more than ${rulesMax} rules`]};
  const faults: string[] = [];
  const ids = new Set((manifest.policies ?? []).map(({id}) => id));
  for (const [index, rule] of value.entries()) {
    const fault = ruleFault(rule, ids);
    if (fault !== undefined) faults.push(`rule ${index}: ${fault}`);
  }
  return faults.length > 0 ? {rules: [], faults} : {rules: value as RuleData[], faults};
}

function ruleFault(rule: unknown, ids: Set<string>): string | undefined {
  if (!isRecord(rule)) return 'it is not an object';
  const {id, trigger, decision, reason, evidence_data: properties, has_when: hasWhen, ...rest} = rule;
  if (typeof id !== 'string' || !ruleId.test(id)) return `\`id\` is ${show(id)}, which is not a valid id`;
  if (ids.has(id)) return `the id \`${id}\` is taken by another rule of the pack`;
  ids.add(id);
  if (!triggers.has(trigger)) return `\`trigger\` is ${show(trigger)}, which is not one of ${[...triggers].join(', ')}`;
  if (!decisions.has(decision))
    return `\`decision\` is ${show(decision)}, which is not one of ${[...decisions].join(', ')}`;
  if (reason !== undefined && (typeof reason !== 'string' || reason.length > 500)) {
    return '`reason` must be a text of at most 500 characters';
  }
  if (properties !== undefined && !isListOfTexts(properties)) return '`evidence_data` must be a list of names';
  if (typeof hasWhen !== 'boolean') return '`when` must be a function';
  const [unknownKey] = Object.keys(rest);
  return unknownKey === undefined ? undefined : `unknown key \`${unknownKey}\``;
}

export function checkCapabilities(
  value: unknown,
  manifest: PackManifest,
): {readonly capabilities: CapabilityData; readonly faults: readonly string[]} {
  if (!isRecord(value)) return {capabilities: {}, faults: ['it must return an object']};
  const tools = new Set(manifest.tools.map(({name}) => name));
  const faults = Object.entries(value).flatMap(([key, byTool]) => {
    const faultOf = capabilityFaults.get(key);
    if (faultOf === undefined) return [`unknown key \`${key}\``];
    if (!isRecord(byTool)) return [`\`${key}\` must be an object by the names of tools`];
    return Object.entries(byTool).flatMap(([tool, asked]) => {
      if (!tools.has(tool)) return [`\`${key}\` names \`${tool}\`, which is not a tool of the pack`];
      const fault = faultOf(asked);
      return fault === undefined ? [] : [`\`${key}\` of \`${tool}\` ${fault}`];
    });
  });
  return faults.length > 0 ? {capabilities: {}, faults} : {capabilities: value, faults};
}

type FaultOf = (asked: unknown) => string | undefined;

const needsFaults: ReadonlyMap<string, FaultOf> = new Map<string, FaultOf>([
  ['required_scopes', scopesFault],
  ['required_env', (asked) => (isListOf(asked, isEnvName) ? undefined : 'must be a list of names of variables')],
  ['network_allowlist', (asked) => (isListOf(asked, isNetworkEntry) ? undefined : 'must be a list of host:port')],
]);
const capabilityFaults: ReadonlyMap<string, FaultOf> = new Map<string, FaultOf>([
  ...needsFaults,
  ['by_input', inputFault],
]);

function inputFault(asked: unknown): string | undefined {
  if (!isRecord(asked)) return 'must be an object';
  const {property, default: standard, values, ...rest} = asked;
  const [unknownKey] = Object.keys(rest);
  if (unknownKey !== undefined) return `has an unknown key \`${unknownKey}\``;
  if (typeof property !== 'string' || property === '') return 'must name a `property`';
  if (standard !== undefined && typeof standard !== 'string') return 'has a `default` that is not a string';
  if (!isRecord(values)) return 'must have `values`, an object';
  const [fault] = Object.entries(values).flatMap(([value, needs]) =>
    needsFault(needs).map((reported) => `of ${show(value)} ${reported}`),
  );
  return fault;
}

function needsFault(needs: unknown): readonly string[] {
  if (!isRecord(needs)) return ['must be an object'];
  return Object.entries(needs).flatMap(([key, asked]) => {
    const faultOf = needsFaults.get(key);
    if (faultOf === undefined) return [`has an unknown key \`${key}\``];
    const fault = faultOf(asked);
    return fault === undefined ? [] : [`\`${key}\` ${fault}`];
  });
}

function scopesFault(asked: unknown): string | undefined {
  if (!Array.isArray(asked)) return 'must be a list of path scopes';
  const [fault] = asked.flatMap((scope: unknown): readonly string[] => {
    const {type, pattern, access, ...rest} = isRecord(scope) ? scope : {};
    if (type !== 'path') return ['must be a list of path scopes'];
    const [unknownKey] = Object.keys(rest);
    if (unknownKey !== undefined) return [`has an unknown key \`${unknownKey}\``];
    if (access !== 'read' && access !== 'write') return ['must have an `access`: read or write'];
    if (typeof pattern !== 'string') return ['must have a `pattern`'];
    const parsed = parsePattern(pattern);
    return parsed.ok
      ? []
      : [`contains the invalid pattern ${show(pattern)} (${parsed.problem.message}): ${parsed.problem.help}`];
  });
  return fault;
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isListOfTexts(value: unknown): boolean {
  return isListOf(value, (item) => typeof item === 'string');
}

function isEnvName(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/u.test(value);
}

function isNetworkEntry(value: unknown): boolean {
  if (isRecord(value)) return Object.keys(value).length === 1 && isEnvName(value['url_env']);
  return typeof value === 'string' && value.length > 0 && value.length <= 300;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing');
  return text === 'missing' ? text : `\`${cutText(text, 80)}\``;
}
