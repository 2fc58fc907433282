// Compiles one rule. A malformed rule is reported and denies all it could have governed.
import type {PolicyLayerName, PolicyRule} from '@lumenflow/schemas';
import {canonicalJson, tryCanonicalJson} from '../evidence/canonical-json.ts';
import type {Problem} from '../problem.ts';
import {checkExamples} from './check-examples.ts';
import type {CompiledRule} from './compiled-layer.ts';
import type {PolicyCompilerPorts} from './policy-compiler-ports.ts';
import {compileMatcher} from './compile-matcher.ts';
import {guardFactoryWhen} from './guard-factory-when.ts';
import type {MatcherSite} from './matcher-site.ts';
import {misplacedConditions} from './misplaced-conditions.ts';
import type {LoadedRule, LocatedRule} from './located-rule.ts';
import type {IndexedRule} from './rule-index.ts';
import {requiredValue} from './required-value.ts';
import {looksAtAddedText} from './looks-at-added-text.ts';
import {isPolicyTrigger, isRuleId, policyTriggers, shapeProblems} from './rule-shape.ts';

export interface RuleCompilation {
  readonly indexed: IndexedRule;
  readonly problems: readonly Problem[];
}

export function compileRule(located: LocatedRule, layer: PolicyLayerName, ports: PolicyCompilerPorts): RuleCompilation {
  const problems: Problem[] = [];
  const {decision}: {readonly decision?: unknown} = Object(located.rule);
  const site: MatcherSite = {
    isPermissive: decision === 'allow',
    compileRegex: (source) => ports.compileRegex(source),
    describeTool: (name) => ports.describeTool?.(name),
    reject(pointer, code, message, help) {
      const where = located.locate?.(pointer) ?? located.where;
      problems.push({code, severity: 'error', message, where, help});
      return () => false;
    },
  };
  for (const {pointer, message} of shapeProblems(located.rule)) site.reject(pointer, 'POLICY_RULE_INVALID', message);
  if (problems.length > 0) return {indexed: denyInstead(located, layer), problems};
  const {rule} = located;
  const canonical = canonicalText(rule, site);
  for (const {pointer, message, help} of misplacedConditions(rule.when, rule.trigger)) {
    site.reject(pointer, 'POLICY_MATCHER_INVALID', message, help);
  }
  const compiled: CompiledRule = {
    ...conditionsOf(rule, site, ports),
    looksAtPaths: looksAtPaths(rule),
    looksAtText: looksAtAddedText(rule.when),
    evidenceData: 'evidence_data' in rule ? rule.evidence_data : undefined,
    canonical,
    statement: {
      kind: 'rule',
      self_approval: allowsSelfApproval(rule),
      ...(isInband(rule) && {inband: true}),
      said: {
        decision: rule.decision,
        layer,
        rule_id: rule.id,
        ...(rule.reason !== undefined && {reason: rule.reason}),
        where: located.where,
      },
    },
  };
  if (problems.length > 0) return {indexed: denyInstead(located, layer), problems};
  const indexed: IndexedRule = {triggers: [rule.trigger], rule: {...compiled, requires: requirementOf(rule)}};
  if ('examples' in rule) checkExamples(rule.examples ?? [], indexed, site);
  return {indexed, problems};
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

function looksAtPaths({when}: PolicyRule | LoadedRule): boolean {
  return typeof when === 'object' && /"(?:reads|writes)":/u.test(JSON.stringify(when));
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

function canonicalText(rule: PolicyRule | LoadedRule, site: MatcherSite): string {
  const {id, trigger, decision, reason, when} = rule;
  const written = tryCanonicalJson({
    id,
    trigger,
    decision,
    ...(reason !== undefined && {reason}),
    ...(allowsSelfApproval(rule) && {self_approval: true}),
    ...(isInband(rule) && {channel: 'inband'}),
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

function allowsSelfApproval(rule: PolicyRule | LoadedRule): boolean {
  return 'self_approval' in rule && (rule.self_approval ?? false);
}
