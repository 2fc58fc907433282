// Random policies against a direct reading of the rules, which knows no index, no compiling and no order of
// evaluation: a deny by a rule decides; else the strictest of what the layers say counts, from the innermost
// layer that may loosen on.
import type {LooseningLayerName, PolicyLayerName, PolicyOutcome, PolicyTrigger} from '@lumenflow/schemas';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {compilePolicyLayer, evaluatePolicy, explainPolicy, type LocatedRule, type PolicyLayers} from './index.ts';
import {policyPorts as ports} from './policy-ports.fixture.ts';

const numRuns = Number(process.env['LUMENFLOW_PROPERTY_RUNS'] ?? 300);
const names = ['workspace', 'lane', 'pack', 'task'] as const;
/** A rule in the terms of the test; `failing` is a function that throws. */
interface Ask {
  readonly trigger: PolicyTrigger;
  readonly decision: PolicyOutcome;
  readonly tools?: readonly string[];
  readonly not?: boolean;
  readonly n?: number;
  readonly kind: 'matcher' | 'function' | 'failing';
}
interface Layer {
  readonly default?: PolicyOutcome;
  readonly rules: readonly Ask[];
}
interface Case {
  readonly layers: Readonly<Record<PolicyLayerName, Layer>>;
  readonly loosening: readonly LooseningLayerName[];
  readonly call: {readonly trigger: PolicyTrigger; readonly tool: string; readonly n: number};
}

const triggers = fc.constantFrom<PolicyTrigger[]>('on_tool_request', 'on_tool_request', 'on_tool_request', 'on_claim');
const outcome = fc.constantFrom<PolicyOutcome[]>('allow', 'approval_required', 'deny');
const optional = {requiredKeys: ['trigger', 'decision', 'kind'] as ['trigger', 'decision', 'kind']};
const ask: fc.Arbitrary<Ask> = fc.record(
  {
    trigger: triggers,
    decision: fc.oneof({weight: 4, arbitrary: fc.constantFrom<PolicyOutcome[]>('allow', 'approval_required')}, outcome),
    tools: fc.uniqueArray(fc.constantFrom('file:read', 'file:*', '*:read', '*', 'git:*', 'g*', 'gates'), {
      minLength: 1,
      maxLength: 2,
    }),
    not: fc.boolean(),
    n: fc.integer({min: 0, max: 1}),
    kind: fc.constantFrom('matcher', 'matcher', 'matcher', 'matcher', 'function', 'function', 'failing' as const),
  },
  optional,
);
const layer: fc.Arbitrary<Layer> = fc.record(
  {default: outcome, rules: fc.array(ask, {maxLength: 4})},
  {requiredKeys: ['rules']},
);
const withoutDefault: fc.Arbitrary<Layer> = fc.record({rules: fc.array(ask, {maxLength: 2})});
const layersOf = (one: fc.Arbitrary<Layer>) => fc.record({workspace: one, lane: one, pack: one, task: one});
const cases: fc.Arbitrary<Case> = fc.record({
  layers: fc.oneof({weight: 3, arbitrary: layersOf(layer)}, layersOf(withoutDefault)),
  loosening: fc.subarray<LooseningLayerName>(['lane', 'pack', 'task']),
  call: fc.record({
    trigger: triggers,
    tool: fc.constantFrom('file:read', 'file:write', 'git:push', 'gates'),
    n: fc.integer({min: 0, max: 1}),
  }),
});

function governs(globs: readonly string[], tool: string): boolean {
  const [domain, verb] = tool.split(':');
  return globs.some((glob) => {
    if (glob === '*' || glob === tool) return true;
    if (glob === 'g*') return verb === undefined && tool.startsWith('g');
    const [domainGlob, verbGlob] = glob.split(':');
    return (
      verb !== undefined &&
      verbGlob !== undefined &&
      [domain, '*'].includes(domainGlob) &&
      [verb, '*'].includes(verbGlob)
    );
  });
}

function applies(rule: Ask, {trigger, tool, n}: Case['call']): boolean {
  if (rule.trigger !== trigger) return false;
  if (rule.kind === 'failing') return true;
  const byTool = rule.tools === undefined || governs(rule.tools, tool) !== (rule.not === true);
  return byTool && (rule.n === undefined || rule.n === n);
}

const strictness: readonly PolicyOutcome[] = ['allow', 'approval_required', 'deny'];
const strictestOf = (said: readonly PolicyOutcome[]): PolicyOutcome =>
  strictness.findLast((outcome) => said.includes(outcome)) ?? 'deny';

/** The direct reading. */
function expected({layers, loosening, call}: Case): PolicyOutcome {
  const rulesOf = (name: PolicyLayerName): readonly PolicyOutcome[] =>
    layers[name].rules
      .filter((rule) => applies(rule, call))
      .map(({kind, decision}) => (kind === 'failing' ? 'deny' : decision));
  if (names.some((name) => rulesOf(name).includes('deny'))) return 'deny';

  const defaultOf = (name: PolicyLayerName): PolicyOutcome | undefined => {
    if (call.trigger === 'on_tool_request') return layers[name].default;
    return name === 'workspace' ? 'allow' : undefined;
  };
  const mayLoosen = (name: PolicyLayerName): boolean => loosening.some((named) => named === name);
  const baseline = names.find((name) => defaultOf(name) !== undefined);
  const hasAuthority = (name: PolicyLayerName): boolean => name === 'workspace' || name === baseline || mayLoosen(name);
  const sayingOf = (name: PolicyLayerName): readonly PolicyOutcome[] => {
    const own = defaultOf(name);
    const rules = rulesOf(name);
    return hasAuthority(name) && rules.length > 0 ? rules : [...rules, ...(own ? [own] : [])];
  };
  const speaking = names.filter((name) => sayingOf(name).length > 0);
  if (!speaking.some(hasAuthority)) return 'deny';
  const from = speaking.findLastIndex(mayLoosen);
  return strictestOf(speaking.slice(Math.max(0, from)).flatMap(sayingOf));
}

function ruleOf(rule: Ask, id: string, call: Case['call']): LocatedRule {
  const {trigger, decision, tools, not, n, kind} = rule;
  const base = {id, trigger, decision};
  const where = `${id}.yaml:1:1`;
  if (kind === 'function') return {where, rule: {...base, when: () => applies(rule, call)}};
  if (kind === 'failing') {
    const when = (): boolean => {
      throw new Error('boom');
    };
    return {where, rule: {...base, when}};
  }
  const tool = tools === undefined ? {} : {tool: tools as [string, ...string[]]};
  const when = {
    ...(not === true && tools !== undefined ? {not: tool} : tool),
    ...(n !== undefined && {arguments: {'/n': {equals: n}}}),
  };
  return {where, rule: Object.keys(when).length === 0 ? base : {...base, when}};
}

function questionOf({layers, loosening, call}: Case) {
  const compiled = names.map((layer) => {
    const {default: default_decision, rules} = layers[layer];
    const located = rules.map((rule, index) => ruleOf(rule, `${layer}-${index}`, call));
    const result = compilePolicyLayer({layer, rules: located, ports, ...(default_decision && {default_decision})});
    expect(result.problems).toEqual([]);
    return [layer, result.layer] as const;
  });
  const isTool = call.trigger === 'on_tool_request';
  return {
    layers: Object.fromEntries(compiled) as unknown as PolicyLayers,
    allowLoosening: loosening,
    request: {
      context: {trigger: call.trigger, run_id: 'run-1', tool_name: call.tool, tool_arguments: {n: call.n}},
      ...(isTool && {permission: 'read' as const}),
    },
  };
}

const decide = (policy: Case) => evaluatePolicy(questionOf(policy));
const withRule = (policy: Case, name: PolicyLayerName, rule: Ask): Case => ({
  ...policy,
  layers: {...policy.layers, [name]: {...policy.layers[name], rules: [...policy.layers[name].rules, rule]}},
});
const anyLayer = fc.constantFrom(...names);

describe('random policies', () => {
  test('are decided as the rules read', () => {
    fc.assert(
      fc.property(cases, (policy) => {
        expect(decide(policy).decision).toBe(expected(policy));
      }),
      {numRuns: numRuns * 4},
    );
  });

  test('are complete: the index finds what a scan of all rules finds, in order', () => {
    fc.assert(
      fc.property(cases, (policy) => {
        const reported = decide(policy)
          .decisions.filter(({layer}) => layer !== 'kernel')
          .map(({rule_id}) => rule_id);
        const scanned = names.flatMap((name) => [
          ...(policy.layers[name].default && policy.call.trigger === 'on_tool_request' ? [`${name}.default`] : []),
          ...policy.layers[name].rules.flatMap((rule, index) =>
            applies(rule, policy.call) ? [`${name}-${index}`] : [],
          ),
        ]);
        expect(reported).toEqual(scanned);
      }),
      {numRuns},
    );
  });

  test('deny if any applicable rule denies, in any layer and with any loosening', () => {
    fc.assert(
      fc.property(cases, anyLayer, ask, (policy, name, rule) => {
        const denied = decide(
          withRule(policy, name, {trigger: policy.call.trigger, decision: 'deny', kind: 'matcher'}),
        );
        expect(denied.decision).toBe('deny');
        const before = strictness.indexOf(decide(policy).decision);
        expect(
          strictness.indexOf(decide(withRule(policy, name, {...rule, decision: 'deny'})).decision),
        ).toBeGreaterThanOrEqual(before);
      }),
      {numRuns},
    );
  });

  test('are not changed by rules that do not apply', () => {
    fc.assert(
      fc.property(cases, anyLayer, ask, (policy, name, rule) => {
        fc.pre(!applies(rule, policy.call));
        expect(decide(withRule(policy, name, rule))).toEqual(decide(policy));
      }),
      {numRuns},
    );
  });

  test('are never loosened by inner layers, unless the workspace allows it', () => {
    fc.assert(
      fc.property(cases, (policy) => {
        fc.pre(policy.layers.workspace.default !== undefined);
        const strict = {...policy, loosening: []};
        const silent = {rules: []};
        const alone = {...strict, layers: {...strict.layers, lane: silent, pack: silent, task: silent}};
        const full = decide(strict);
        expect(strictness.indexOf(full.decision)).toBeGreaterThanOrEqual(strictness.indexOf(decide(alone).decision));
      }),
      {numRuns},
    );
  });

  test('are explained as they are decided, and the explanation is plain data', () => {
    fc.assert(
      fc.property(cases, (policy) => {
        const question = questionOf(policy);
        const explained = explainPolicy(question);
        expect(explained).toMatchObject({...evaluatePolicy(question)});
        expect(JSON.parse(JSON.stringify(explained))).toEqual(explained);
        expect(explained.would_change.length).toBeGreaterThan(0);
        expect(explained.trace.at(-1)?.decision).toBe(explained.decision);
        expect(explained.held_by.every(({decision}) => decision === explained.decision)).toBe(true);
        expect(explained.held_by).toContainEqual(explained.deciding);
      }),
      {numRuns},
    );
  });
});
