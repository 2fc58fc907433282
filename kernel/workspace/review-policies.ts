// Reviews every rule of a workspace and its packs without a call: whether its examples pass, and whether it can decide anything
// at all. It runs only the rules.
import type {PolicyOutcome, PolicyTrigger} from '@lumenflow/schemas';
import type {LoadedPack} from '../packs/loaded-pack.ts';
import {
  compileRule,
  tryExample,
  whyIdle,
  type ExampleOutcome,
  type IdleRule,
  type PolicyCompilerPorts,
  type Situation,
  type EffectiveRule,
} from '../policy/index.ts';
import type {WorkspaceCompilerPorts, WorkspaceSource} from './compile-workspace.ts';
import {reviewContext} from './review-context.ts';

export interface ReviewedExample extends ExampleOutcome {
  readonly holds: boolean;
  /** `file:line:column` */
  readonly where: string;
}

export interface ReviewedRule {
  readonly rule_id: string;
  readonly layer: EffectiveRule['layer'];
  /** The id of the workspace, the lane or the pack. */
  readonly of: string;
  readonly where: string;
  readonly trigger: PolicyTrigger;
  readonly decision: PolicyOutcome;
  /** The rule decides nothing; what it would have decided is recorded. */
  readonly mode?: 'observe';
  /** `function`: made by a policy_factory, so it has no examples. */
  readonly form: 'matcher' | 'function';
  readonly examples: readonly ReviewedExample[];
  /** Why the rule decides nothing; absent when it can. */
  readonly idle?: IdleRule;
  /** A pack's rule that fits tools of other packs only: it applies in tasks of these types, and nowhere else. */
  readonly only_in_task_types?: readonly string[];
}

/** In the order of layers: workspace, lanes, packs. The source must compile; its examples may fail. */
export function reviewPolicies(source: WorkspaceSource, lent: WorkspaceCompilerPorts): readonly ReviewedRule[] {
  const {ports, rules, situations} = reviewContext(source, lent);
  return rules.map((standing) => {
    const {located, layer, of} = standing;
    const {rule, where} = located;
    const idle = whyIdle(standing, rules, situations);
    const types = idle ? undefined : onlyInTaskTypes(standing, source, situations);
    return {
      rule_id: rule.id,
      layer,
      of,
      where,
      trigger: rule.trigger,
      decision: rule.decision,
      ...('mode' in rule && rule.mode !== undefined && {mode: rule.mode}),
      form: typeof rule.when === 'function' ? ('function' as const) : ('matcher' as const),
      examples: reviewExamples(standing, ports),
      ...(idle && {idle}),
      ...(types && {only_in_task_types: types}),
    };
  });
}

function reviewExamples({located, layer}: EffectiveRule, ports: PolicyCompilerPorts): readonly ReviewedExample[] {
  const {rule, where, locate} = located;
  const examples = 'examples' in rule ? (rule.examples ?? []) : [];
  const {indexed} = compileRule(located, layer, ports);
  return examples.map((example, index) => {
    const {expect, given} = tryExample(example, indexed, ports);
    return {holds: expect === given, where: locate?.(`/examples/${index}`) ?? where, expect, given};
  });
}

/** A pack's rules govern its own tools everywhere, and any tool in tasks of its types. */
function onlyInTaskTypes(
  {layer, of, reach}: EffectiveRule,
  {packs}: WorkspaceSource,
  situations: readonly Situation[],
): readonly string[] | undefined {
  const pack = layer === 'pack' ? packs.find(({manifest}) => manifest.id === of) : undefined;
  const tools = situations.filter((situation) => reach(situation) !== 'never').flatMap(({tool}) => tool?.name ?? []);
  return pack && tools.length > 0 && !tools.some((name) => declares(pack, name)) ? pack.manifest.task_types : undefined;
}

function declares(pack: LoadedPack, name: string): boolean {
  return pack.tools.some(({declaration}) => declaration.name === name);
}
