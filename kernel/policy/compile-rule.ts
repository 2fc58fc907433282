// Compiles one rule. A malformed rule is reported and denies all it could have governed.
import type {PolicyDecision, PolicyLayerName, PolicyRule} from '@lumenflow/schemas';
import {canonicalJson, tryCanonicalJson} from '../evidence/canonical-json.ts';
import type {Problem} from '../problem.ts';
import {checkExamples} from './check-examples.ts';
import type {CompiledRule} from './compiled-layer.ts';
import type {PolicyCompilerPorts} from './policy-compiler-ports.ts';
import {compileApprovers} from './compile-approvers.ts';
import {compileLimit} from './compile-limit.ts';
import {compileRedaction} from './compile-redaction.ts';
import {compileMatcher} from './compile-matcher.ts';
import {createLayerCaches, type LayerCaches} from './layer-caches.ts';
import {guardFactoryWhen} from './guard-factory-when.ts';
import type {MatcherSite} from './matcher-site.ts';
import {misplacedConditions} from './misplaced-conditions.ts';
import type {LoadedRule, LocatedRule} from './located-rule.ts';
import type {IndexedRule} from './rule-index.ts';
import {requiredValue} from './required-value.ts';
import {asksArgumentsOf} from './asks-arguments-of.ts';
import {looksAtAddedText} from './looks-at-added-text.ts';
import {isPolicyTrigger, isRuleId, policyTriggers, shapeProblems} from './rule-shape.ts';

export interface RuleCompilation {
  readonly indexed: IndexedRule;
  readonly problems: readonly Problem[];
}

/** `caches`: those of the layer's other rules. */
export function compileRule(
  located: LocatedRule,
  layer: PolicyLayerName,
  ports: PolicyCompilerPorts,
  caches: LayerCaches = createLayerCaches(),
): RuleCompilation {
  const problems: Problem[] = [];
  const site = siteOf(located, problems, ports, caches);
  for (const {pointer, message} of shapeProblems(located.rule)) site.reject(pointer, 'POLICY_RULE_INVALID', message);
  if (problems.length > 0) return {indexed: denyInstead(located, layer), problems};
  const {rule} = located;
  for (const {pointer, message, help} of misplacedConditions(rule.when, rule.trigger)) {
    site.reject(pointer, 'POLICY_MATCHER_INVALID', message, help);
  }
  const approvers = 'approvers' in rule ? compileApprovers(rule, site, ports) : undefined;
  const redaction = compileRedaction(rule, site);
  const compiled: CompiledRule = {
    ...conditionsOf(rule, site, ports),
    looksAtPaths: hasKey(rule, ['reads', 'writes']),
    looksAtTaint: hasKey(rule, ['tainted', 'carries']),
    looksAtHistory: hasKey(rule, ['after']),
    asksArgumentsOf: asksArgumentsOf(rule.when, ports),
    looksAtReturned: hasKey(rule, ['carries']),
    looksAtText: looksAtAddedText(rule.when),
    evidenceData: 'evidence_data' in rule ? rule.evidence_data : undefined,
    canonical: canonicalText(rule, site, approvers),
    limit: 'at_most' in rule ? compileLimit(rule, layer, site) : undefined,
    ...(isObserving(rule) && {observes: true}),
    statement: {...statementOf(located, layer, approvers), ...(redaction && {redaction})},
  };
  if (problems.length > 0) return {indexed: denyInstead(located, layer), problems};
  const indexed: IndexedRule = {triggers: [rule.trigger], rule: {...compiled, requires: requirementOf(rule)}};
  if ('examples' in rule) checkExamples(rule.examples ?? [], indexed, site);
  return {indexed, problems};
}

/** Where the rule's parts are compiled: what is wrong with them goes to `problems`. */
function siteOf(
  located: LocatedRule,
  problems: Problem[],
  ports: PolicyCompilerPorts,
  caches: LayerCaches,
): MatcherSite {
  const {decision, redact}: {readonly decision?: unknown; readonly redact?: unknown} = Object(located.rule);
  return {
    isPermissive: decision === 'allow' && redact === undefined,
    ...caches,
    compileRegex: (source) => ports.compileRegex(source),
    describeTool: (name) => ports.describeTool?.(name),
    reject(pointer, code, message, help) {
      const where = located.locate?.(pointer) ?? located.where;
      problems.push({code, severity: 'error', message, where, help});
      return () => false;
    },
  };
}

function statementOf(
  {rule, where}: LocatedRule,
  layer: PolicyLayerName,
  approvers: PolicyDecision['approvers'],
): CompiledRule['statement'] {
  return {
    kind: 'rule',
    self_approval: allowsSelfApproval(rule),
    ...(isInband(rule) && {inband: true}),
    said: {
      decision: rule.decision,
      layer,
      rule_id: rule.id,
      ...(rule.reason !== undefined && {reason: rule.reason}),
      ...(approvers && {approvers}),
      where,
    },
  };
}

/** Tool globs are separate from the other conditions, so that the layer can be indexed by them. */
function conditionsOf(
  rule: PolicyRule | LoadedRule,
  site: MatcherSite,
  ports: PolicyCompilerPorts,
): Pick<CompiledRule, 'governsTool' | 'when' | 'isFunction'> {
  const {when} = rule;
  if (when === undefined) return {};
  if (typeof when === 'function') {
    const isTimed = 'is_timed' in rule && rule.is_timed;
    return {
      isFunction: true,
      when: isTimed ? ({context}) => when(context) : guardFactoryWhen(when, () => ports.monotonic()),
    };
  }
  const {tool, ...others} = when;
  if (tool === undefined) return {when: compileMatcher(when, '/when', site)};
  const ofTool = compileMatcher({tool}, '/when', site);
  return {
    governsTool: (name) => ofTool({context: {trigger: rule.trigger, run_id: '', tool_name: name}}),
    when: Object.keys(others).length > 0 ? compileMatcher(others, '/when', site) : undefined,
  };
}

function hasKey({when}: PolicyRule | LoadedRule, keys: readonly string[]): boolean {
  return typeof when === 'object' && new RegExp(`"(?:${keys.join('|')})":`, 'u').test(JSON.stringify(when));
}

/** Of a rule without problems. */
function requirementOf({when, trigger}: PolicyRule | LoadedRule): CompiledRule['requires'] {
  return typeof when === 'object' ? requiredValue(when, trigger) : undefined;
}

function denyInstead({rule, where}: LocatedRule, layer: PolicyLayerName): IndexedRule {
  const {id, trigger}: {readonly id?: unknown; readonly trigger?: unknown} = Object(rule);
  const rule_id = isRuleId(id) ? id : `${layer}.malformed`;
  const reason = 'the rule is malformed: this counts as deny';
  return {
    triggers: isPolicyTrigger(trigger) ? [trigger] : policyTriggers,
    rule: {
      canonical: canonicalJson({malformed: rule_id}),
      statement: {kind: 'rule', self_approval: false, said: {decision: 'deny', layer, rule_id, reason, where}},
    },
  };
}

function canonicalText(
  rule: PolicyRule | LoadedRule,
  site: MatcherSite,
  approvers: PolicyDecision['approvers'],
): string {
  const {id, trigger, decision, reason, when} = rule;
  const written = tryCanonicalJson({
    id,
    trigger,
    decision,
    ...(reason !== undefined && {reason}),
    ...(allowsSelfApproval(rule) && {self_approval: true}),
    ...(isInband(rule) && {channel: 'inband'}),
    ...(approvers && {approvers}),
    ...(isObserving(rule) && {mode: 'observe'}),
    ...('redact' in rule && rule.redact !== undefined && {redact: rule.redact}),
    ...('at_most' in rule && rule.at_most !== undefined && {at_most: rule.at_most}),
    ...(when !== undefined && {when: typeof when === 'function' ? 'function' : when}),
  });
  if (written.ok) return written.value;
  const {message} = written.problem;
  site.reject('', 'POLICY_RULE_INVALID', `rule \`${id}\` contains a value that is not JSON: ${message}`);
  return '';
}

function isInband(rule: PolicyRule | LoadedRule): boolean {
  return 'channel' in rule && rule.channel === 'inband';
}

function isObserving(rule: PolicyRule | LoadedRule): boolean {
  return 'mode' in rule && rule.mode === 'observe';
}

function allowsSelfApproval(rule: PolicyRule | LoadedRule): boolean {
  return 'self_approval' in rule && (rule.self_approval ?? false);
}
