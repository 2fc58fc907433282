// Where a rule can apply, from the rule alone: the situations in which its matcher matches always, maybe, or never.
import type {PolicyMatcher} from '@lumenflow/schemas';
import type {MatcherSite} from '../matcher-site.ts';
import {allOf} from '../matchers/certainty.ts';
import type {Reach} from '../matchers/matcher-key.ts';
import {keysOf} from '../matchers/matcher-table.ts';
import type {LocatedRule} from '../located-rule.ts';
import type {PolicyCompilerPorts} from '../policy-compiler-ports.ts';

export type {Reach, Situation} from '../matchers/matcher-key.ts';

/** Of a rule that compiles. A factory's function may answer anything. */
export function ruleReach({rule}: LocatedRule, {compileRegex}: Pick<PolicyCompilerPorts, 'compileRegex'>): Reach {
  const {trigger, when} = rule;
  const site: MatcherSite = {
    compileRegex,
    isPermissive: false,
    reject: () => () => false,
    describeTool: () => undefined,
  };
  const reach = when === undefined || typeof when === 'function' ? undefined : reachOfMatcher(when, site);
  return (situation) => {
    if (situation.trigger !== trigger) return 'never';
    return reach?.(situation) ?? (when === undefined ? 'always' : 'maybe');
  };
}

function reachOfMatcher(matcher: PolicyMatcher, site: MatcherSite): Reach {
  const nested = (inner: PolicyMatcher): Reach => reachOfMatcher(inner, site);
  return allOf([...keysOf(matcher)].map(([, key, operand]) => key.reach(operand, site, nested)));
}
