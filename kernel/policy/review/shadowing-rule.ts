// The rule that decides wherever another one matches, so that the other one decides nothing. A proof, see implies.ts.
import {layerNames} from '../compiled-layer.ts';
import {compareStrictness} from '../layer-decision.ts';
import type {LocatedRule} from '../located-rule.ts';
import type {MatcherSite} from '../matcher-site.ts';
import type {EffectiveRule} from './idle-rule.ts';
import {implies} from './implies.ts';

/** `rules` are in order of their layers. Of two that say the same, the first one stays. */
export function shadowingRule(
  rule: EffectiveRule,
  rules: readonly EffectiveRule[],
  site: MatcherSite,
): EffectiveRule | undefined {
  if (!isPlain(rule.located)) return undefined;
  return rules.find((other) => other !== rule && outweighs(other, rule, rules) && covers(other, rule, site));
}

/** It decides on its own, always, and nothing else than its decision distinguishes it. */
function isPlain({rule}: LocatedRule): boolean {
  const special = ['mode', 'redact', 'at_most', 'approvers', 'self_approval', 'channel', 'evidence_data'];
  return typeof rule.when !== 'function' && !special.some((key) => key in rule);
}

function outweighs(other: EffectiveRule, rule: EffectiveRule, rules: readonly EffectiveRule[]): boolean {
  const {decision, trigger} = other.located.rule;
  if (trigger !== rule.located.rule.trigger || !isPlain(other.located)) return false;
  const stricter = compareStrictness(decision, rule.located.rule.decision);
  if (stricter < 0 || (stricter === 0 && rules.indexOf(other) > rules.indexOf(rule))) return false;
  if (other.layer === rule.layer) return other.of === rule.of;
  // Only a rule's deny is final for inner layers.
  return decision === 'deny' && layerNames.indexOf(other.layer) < layerNames.indexOf(rule.layer);
}

function covers(other: EffectiveRule, rule: EffectiveRule, site: MatcherSite): boolean {
  const general = other.located.rule.when;
  const specific = rule.located.rule.when;
  if (general === undefined) return true;
  return typeof general === 'object' && typeof specific === 'object' && implies(specific, general, site);
}
