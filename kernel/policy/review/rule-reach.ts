// Where a rule can apply, told from the rule alone: in which situations its matcher holds always, perhaps, or never.
import type {Globs, Permission, PolicyMatcher, PolicyTrigger, ValueMatcher} from '@lumenflow/schemas';
import {compileGlobs} from '../compile-globs.ts';
import {compileValueMatcher} from '../compile-value-matcher.ts';
import type {PolicyCompilerPorts} from '../policy-compiler-ports.ts';
import type {MatcherSite} from '../matcher-site.ts';
import type {PlacedRule} from '../placed-rule.ts';
import {canHold} from './can-hold.ts';

/** What is known of a request before it is made. */
export interface Situation {
  readonly trigger: PolicyTrigger;
  readonly lane: string;
  /** Absent on a claim or a completion. */
  readonly tool?: {readonly name: string; readonly permission: Permission};
}

export type Certainty = 'never' | 'maybe' | 'always';
export type Reach = (situation: Situation) => Certainty;
type ReachPart = (operand: never, site: MatcherSite) => Reach;

const parts: Readonly<Record<keyof PolicyMatcher, ReachPart>> = {
  tool: globsOver('tool', ({tool}) => tool?.name),
  lane: globsOver('id', ({lane}) => lane),
  task: () => () => 'maybe',
  permission:
    (permissions: readonly string[]) =>
    ({tool}) =>
      certain(tool !== undefined && permissions.includes(tool.permission)),
  arguments: valuesReach,
  metadata: valuesReach,
  all: (matchers: readonly PolicyMatcher[], site) => allOf(matchers.map((matcher) => reachOfMatcher(matcher, site))),
  any: (matchers: readonly PolicyMatcher[], site) => {
    const none = allOf(matchers.map((matcher) => opposite(reachOfMatcher(matcher, site))));
    return opposite(none);
  },
  not: (matcher: PolicyMatcher, site) => opposite(reachOfMatcher(matcher, site)),
};

/** Of a rule that compiles. A factory's function may answer anything. */
export function reachOf({rule}: PlacedRule, {compileRegex}: Pick<PolicyCompilerPorts, 'compileRegex'>): Reach {
  const {trigger, when} = rule;
  const site: MatcherSite = {compileRegex, fault: () => () => false};
  const reach = when === undefined || typeof when === 'function' ? undefined : reachOfMatcher(when, site);
  return (situation) => {
    if (situation.trigger !== trigger) return 'never';
    return reach?.(situation) ?? (when === undefined ? 'always' : 'maybe');
  };
}

function reachOfMatcher(matcher: PolicyMatcher, site: MatcherSite): Reach {
  return allOf(
    Object.entries(matcher).map(([name, operand]) => parts[name as keyof PolicyMatcher](operand as never, site)),
  );
}

function allOf(reaches: readonly Reach[]): Reach {
  return (situation) => {
    const found = reaches.map((reach) => reach(situation));
    if (found.includes('never')) return 'never';
    return found.includes('maybe') ? 'maybe' : 'always';
  };
}

const opposites: Readonly<Record<Certainty, Certainty>> = {never: 'always', maybe: 'maybe', always: 'never'};

function opposite(reach: Reach): Reach {
  return (situation) => opposites[reach(situation)];
}

function globsOver(kind: 'tool' | 'id', subject: (situation: Situation) => string | undefined): ReachPart {
  return (globs: Globs, site) => {
    const compiled = compileGlobs(globs, kind, site.compileRegex);
    return (situation) => {
      const text = subject(situation);
      return certain(text !== undefined && 'test' in compiled && compiled.test(text));
    };
  };
}

/** A claim or a completion has neither arguments nor metadata. */
function valuesReach(matchers: Readonly<Record<string, ValueMatcher>>, site: MatcherSite): Reach {
  const tests = Object.values(matchers).map((matcher) => ({matcher, test: compileValueMatcher(matcher, '', site)}));
  const possible = tests.every(({matcher, test}) => canHold(matcher, test)) ? 'maybe' : 'never';
  const absent = certain(tests.every(({test}) => test(undefined)));
  return ({tool}) => (tool ? possible : absent);
}

function certain(holds: boolean): Certainty {
  return holds ? 'always' : 'never';
}
