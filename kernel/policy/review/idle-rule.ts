// Why a rule can never decide anything in the present workspace. It cannot match, another rule denies everything that it matches, or
// its layer may not make its decision. This uses the rules alone, so it does not find every idle rule.
import type {PolicyOutcome, PolicyTrigger} from '@lumenflow/schemas';
import {layerNames} from '../compiled-layer.ts';
import type {LocatedRule} from '../located-rule.ts';
import {compareStrictness} from '../layer-decision.ts';
import type {Reach, Situation} from './rule-reach.ts';

/** A rule among the others. */
export interface EffectiveRule {
  readonly located: LocatedRule;
  readonly layer: 'workspace' | 'lane' | 'pack';
  /** The id of the workspace, the lane or the pack. */
  readonly of: string;
  readonly reach: Reach;
  /** Of the layer, for the rule's trigger. */
  readonly default_decision?: PolicyOutcome | undefined;
  /** Whether the layer may loosen the decision so far; see weigh-layers.ts. */
  readonly authority: boolean;
}

export interface IdleRule {
  readonly reason: string;
  readonly help: string;
}

/** `rules` are in order of their layers; `situations` are all that there can be. */
export function whyIdle(
  rule: EffectiveRule,
  rules: readonly EffectiveRule[],
  situations: readonly Situation[],
): IdleRule | undefined {
  const {rule: said} = rule.located;
  const own = situations.filter(
    ({trigger, lane}) => trigger === said.trigger && (rule.layer !== 'lane' || lane === rule.of),
  );
  const reached = own.filter((situation) => rule.reach(situation) !== 'never');
  if (reached.length === 0) return neverMatches(said);
  const denying = rules.find(
    (other) => denies(other, rule, rules) && reached.every((at) => other.reach(at) === 'always'),
  );
  if (denying) {
    const {id} = denying.located.rule;
    return {
      reason: `rule \`${id}\` at ${denying.located.where} denies all that it matches, and a deny sticks`,
      help: `narrow \`${id}\`, or remove this rule`,
    };
  }
  return whyPowerless(rule);
}

/** Rules of the same or an outer layer count; of two denies, the first. */
function denies(other: EffectiveRule, rule: EffectiveRule, rules: readonly EffectiveRule[]): boolean {
  if (other === rule || other.located.rule.decision !== 'deny' || 'mode' in other.located.rule) return false;
  const depth = ({layer}: EffectiveRule): number => layerNames.indexOf(layer);
  const sees = other.layer === rule.layer ? other.of === rule.of : depth(other) < depth(rule);
  return sees && (rule.located.rule.decision !== 'deny' || rules.indexOf(other) < rules.indexOf(rule));
}

/** An inner layer's allow either changes nothing, or is not permitted to loosen. */
function whyPowerless({located, layer, of, default_decision, authority}: EffectiveRule): IdleRule | undefined {
  const {decision} = located.rule;
  if (authority || ('redact' in located.rule && located.rule.redact !== undefined)) return undefined;
  const help = `name \`${layer}\` in \`allow_loosening\` of workspace.yaml, or write what is not to be as a rule that denies`;
  if (default_decision !== undefined && compareStrictness(decision, default_decision) < 0) {
    return {reason: `\`default_decision: ${default_decision}\` of ${layer} \`${of}\` is stricter, and it stays`, help};
  }
  return decision === 'allow' ? {reason: `a ${layer} may only tighten: its \`allow\` lifts nothing`, help} : undefined;
}

const withoutTool: readonly PolicyTrigger[] = ['on_claim', 'on_completion'];

function neverMatches({trigger, when}: LocatedRule['rule']): IdleRule {
  const reported = typeof when === 'function' || when === undefined ? {} : when;
  const {lane, task: _, ...ofCalls} = reported;
  if (lane !== undefined && Object.keys(ofCalls).length === 0) {
    const lanes = [lane].flat().map((glob) => `\`${glob}\``);
    return {
      reason: `it never matches: no lane fits ${lanes.join(', ')}`,
      help: 'write the id of a lane of the workspace',
    };
  }
  if (withoutTool.includes(trigger)) {
    return {
      reason: `it never matches: ${trigger} knows a task and a lane, no tool, arguments or metadata`,
      help: 'use `task` and `lane`, or the trigger `on_tool_request`',
    };
  }
  const {tool = [], permission = [], ...others} = reported;
  const named = [
    ...[tool].flat().map((glob) => `\`${glob}\``),
    ...(permission.length > 0 ? [`permission ${permission.join(' or ')}`] : []),
  ];
  const rest = Object.keys(others).length === 0 ? [] : [named.length > 0 ? 'its other conditions' : 'its conditions'];
  return {
    reason: `it never matches: no loaded tool fits ${[...named, ...rest].join(', ')}`,
    help: '`lumenflow tools list --all` shows the tools; conditions may also contradict each other',
  };
}
