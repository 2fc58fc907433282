// What is wrong with rules that load. They may decide nothing, contradict each other, or have times that never come or are over. Calls that
// two rules decide differently are noted.
import type {PolicyExample, PolicyOutcome} from '@lumenflow/schemas';
import type {Problem} from '../problem.ts';
import {
  compileRule,
  contradiction,
  reviewSite,
  shadowingRule,
  timeFaults,
  tryExample,
  whyIdle,
  type EffectiveRule,
} from '../policy/index.ts';
import type {WorkspaceCompilerPorts, WorkspaceSource} from './compile-workspace.ts';
import {reviewContext, type ReviewContext} from './review-context.ts';

export interface PolicyFinding extends Problem {
  readonly rule_id: string;
  readonly layer: EffectiveRule['layer'];
  /** The rule that decides instead, or too. */
  readonly other?: {readonly rule_id: string; readonly where: string};
  /** A call, as in an example, that shows it. */
  readonly call?: PolicyExample['call'];
  /** It may be meant. */
  readonly is_note?: true;
}

type Words = Pick<PolicyFinding, 'code' | 'message'> & Partial<PolicyFinding>;

/** In the order of the rules. The source must compile; its examples may fail. */
export function lintPolicies(
  source: WorkspaceSource,
  lent: WorkspaceCompilerPorts,
  nowMs: number,
): readonly PolicyFinding[] {
  const context = reviewContext(source, lent);
  return context.rules.flatMap((rule) => {
    const times = faultyTimes(rule, nowMs);
    // A time that never comes is the better reason for a rule that never matches.
    if (times.some(({code}) => code === 'POLICY_TIME_IMPOSSIBLE')) return times;
    const useless = uselessRule(rule, context);
    return [...(useless ? [useless] : overlaps(rule, context)), ...times];
  });
}

function found({located: {rule, where}, layer}: EffectiveRule, words: Words): PolicyFinding {
  return {severity: 'warning', where, rule_id: rule.id, layer, ...words};
}

/** The first reason for which a rule decides nothing. */
function uselessRule(rule: EffectiveRule, {ports, rules, situations}: ReviewContext): PolicyFinding | undefined {
  const {id, when} = rule.located.rule;
  const site = reviewSite(ports);
  const clash = typeof when === 'object' ? contradiction(when, site) : undefined;
  if (clash) {
    return found(rule, {
      code: 'POLICY_CONDITIONS_CONTRADICT',
      message: `rule \`${id}\` never matches: \`${clash.one}\` and \`${clash.other}\` contradict each other`,
      help: 'remove one of the conditions, or use `any`',
    });
  }
  const shadow = shadowingRule(rule, rules, site);
  if (shadow) return shadowed(rule, shadow, ports);
  const idle = whyIdle(rule, rules, situations);
  if (idle === undefined) return undefined;
  const message = `rule \`${id}\` decides nothing, because ${idle.reason}`;
  return found(rule, {code: 'POLICY_RULE_WITHOUT_EFFECT', message, help: idle.help});
}

function shadowed(rule: EffectiveRule, shadow: EffectiveRule, ports: ReviewContext['ports']): PolicyFinding {
  const {id} = rule.located.rule;
  const {rule: other, where} = shadow.located;
  const call = matchingCalls(rule).find((one) => matches(shadow, one, ports));
  const message = `rule \`${id}\` decides nothing: \`${other.id}\` at ${where} matches every call that it matches, with ${other.decision}`;
  return found(rule, {
    code: 'POLICY_RULE_SHADOWED',
    message,
    help: `remove it, or narrow \`${other.id}\``,
    other: {rule_id: other.id, where},
    ...(call && {call}),
  });
}

const stricterThan: Readonly<Record<PolicyOutcome, readonly PolicyOutcome[]>> = {
  allow: ['approval_required', 'deny'],
  approval_required: ['deny'],
  deny: [],
};

/** Calls of a rule's examples that a stricter rule of the same layer matches too. */
function overlaps(rule: EffectiveRule, {ports, rules}: ReviewContext): readonly PolicyFinding[] {
  const {id, decision, trigger} = rule.located.rule;
  const stricter = stricterThan[decision];
  const calls = stricter.length === 0 ? [] : matchingCalls(rule);
  if (calls.length === 0) return [];
  return rules
    .filter(({located, layer, of}) => layer === rule.layer && of === rule.of && located.rule.trigger === trigger)
    .filter(({located}) => stricter.includes(located.rule.decision) && !('mode' in located.rule))
    .flatMap((other) => {
      const call = calls.find((one) => matches(other, one, ports));
      if (call === undefined) return [];
      const {rule: decides, where} = other.located;
      const message = `rules \`${id}\` and \`${decides.id}\` at ${where} match the same call: ${decides.decision} decides`;
      return [
        found(rule, {code: 'POLICY_RULES_OVERLAP', message, other: {rule_id: decides.id, where}, call, is_note: true}),
      ];
    });
}

function matchingCalls({located}: EffectiveRule): readonly PolicyExample['call'][] {
  const {rule} = located;
  const examples = 'examples' in rule ? (rule.examples ?? []) : [];
  return examples.filter((example) => example.expect === rule.decision).map(({call}) => call);
}

function matches({located, layer}: EffectiveRule, call: PolicyExample['call'], ports: ReviewContext['ports']): boolean {
  const {indexed} = compileRule(located, layer, ports);
  const {given} = tryExample({call, expect: 'no_match'}, indexed, ports);
  return given === located.rule.decision;
}

function faultyTimes(rule: EffectiveRule, nowMs: number): readonly PolicyFinding[] {
  const {located} = rule;
  const {id, when} = located.rule;
  if (typeof when !== 'object') return [];
  return [...timeFaults(when, nowMs)].map(({fault, at}) => {
    const where = located.locate?.(at) ?? located.where;
    return fault === 'never'
      ? found(rule, {
          code: 'POLICY_TIME_IMPOSSIBLE',
          where,
          message: `rule \`${id}\` has a time that never comes: none of its dates falls on one of its days`,
          help: 'change `days` or `dates`',
        })
      : found(rule, {
          code: 'POLICY_DATES_PAST',
          where,
          message: `rule \`${id}\` has dates that are over`,
          help: 'remove the rule, or write its next dates',
        });
  });
}
