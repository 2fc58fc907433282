// Where a rule can apply, from the rule alone: the situations in which its matcher matches always, maybe, or never.
import type {PolicyMatcher} from '@lumenflow/schemas';
import type {MatcherSite} from '../matcher-site.ts';
import {allOf} from '../matchers/certainty.ts';
import type {Reach} from '../matchers/matcher-key.ts';
import {keysOf} from '../matchers/matcher-table.ts';
import type {LocatedRule} from '../located-rule.ts';
import type {PolicyCompilerPorts} from '../policy-compiler-ports.ts';
import {reviewSite} from './review-site.ts';

export type {Reach, Situation} from '../matchers/matcher-key.ts';

/** Of a rule that compiles. A factory's function may answer anything. */
export function ruleReach({rule}: LocatedRule, ports: Pick<PolicyCompilerPorts, 'compileRegex'>): Reach {
  const {trigger, when} = rule;
  const site = reviewSite(ports);
  const reach = when === undefined || typeof when === 'function' ? undefined : reachOfMatcher(when, site);
  const isLimited = 'at_most' in rule && rule.at_most !== undefined;
  return (situation) => {
    if (situation.trigger !== trigger) return 'never';
    const found = reach?.(situation) ?? (when === undefined ? 'always' : 'maybe');
    return isLimited && found === 'always' ? 'maybe' : found;
  };
}

function reachOfMatcher(matcher: PolicyMatcher, site: MatcherSite): Reach {
  const nested = (inner: PolicyMatcher): Reach => reachOfMatcher(inner, site);
  return allOf([...keysOf(matcher)].map(([, key, operand]) => key.reach(operand, site, nested)));
}
