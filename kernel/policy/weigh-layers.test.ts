import type {LooseningLayerName, PolicyLayerName, PolicyOutcome} from '@lumenflow/schemas';
import {describe, expect, test} from 'vitest';
import {failed} from '../outcome.ts';
import {compilePolicyLayer, evaluatePolicy, type PolicyResult} from './index.ts';

const ports = {monotonic: () => 0, compileRegex: () => failed('no regex in these tests')};

/** A layer's default (or none) and the decisions of its matching rules; `self` is approval that may be one's own. */
type Spoken = readonly [PolicyOutcome | undefined, ...(PolicyOutcome | 'self')[]];
type Stack = Partial<Record<PolicyLayerName, Spoken>>;

function evaluate(stack: Stack, allowLoosening: readonly LooseningLayerName[] = []): PolicyResult {
  const layerOf = (layer: PolicyLayerName) => {
    const [default_decision, ...decisions] = stack[layer] ?? [undefined];
    const rules = decisions.map((decision, index) => ({
      rule: {
        id: `${layer}-${index}`,
        trigger: 'on_tool_request' as const,
        decision: decision === 'self' ? ('approval_required' as const) : decision,
        ...(decision === 'self' && {self_approval: true}),
      },
      where: `${layer}.yaml:${index}:1`,
    }));
    return compilePolicyLayer({
      layer,
      rules,
      ports,
      ...(default_decision && {default_decision, default_where: `${layer}.yaml`}),
    }).layer;
  };
  return evaluatePolicy({
    layers: {
      workspace: layerOf('workspace'),
      ...(stack.lane && {lane: layerOf('lane')}),
      ...(stack.pack && {pack: layerOf('pack')}),
      ...(stack.task && {task: layerOf('task')}),
    },
    allowLoosening,
    request: {context: {trigger: 'on_tool_request', run_id: 'run-1', tool_name: 'a:b'}},
  });
}

describe('without loosening', () => {
  const cases: readonly (readonly [string, Stack, PolicyOutcome, string])[] = [
    ['nothing said', {}, 'deny', 'kernel.policy.no-default'],
    ['the workspace’s default', {workspace: ['allow']}, 'allow', 'workspace.default'],
    ['a later layer sets the baseline', {task: ['allow']}, 'allow', 'task.default'],
    [
      'a lane’s allow does not lift the workspace’s approval',
      {workspace: ['approval_required'], lane: ['allow']},
      'approval_required',
      'workspace.default',
    ],
    [
      'a later default tightens',
      {workspace: ['allow'], lane: ['approval_required']},
      'approval_required',
      'lane.default',
    ],
    [
      'a later rule tightens',
      {workspace: ['allow'], pack: [undefined, 'approval_required']},
      'approval_required',
      'pack-0',
    ],
    ['a later rule does not lift', {workspace: ['deny'], task: [undefined, 'allow']}, 'deny', 'workspace.default'],
    ['workspace rules adjust its default', {workspace: ['deny', 'allow']}, 'allow', 'workspace-0'],
    ['to approval', {workspace: ['deny', 'approval_required']}, 'approval_required', 'workspace-0'],
    [
      'of several rules the strictest',
      {workspace: ['allow', 'allow', 'approval_required']},
      'approval_required',
      'workspace-1',
    ],
    ['deny is sticky within a layer', {workspace: ['allow', 'deny', 'allow']}, 'deny', 'workspace-0'],
    ['a workspace rule needs no default', {workspace: [undefined, 'allow']}, 'allow', 'workspace-0'],
    ['other rules do', {lane: [undefined, 'allow'], pack: [undefined, 'allow']}, 'deny', 'kernel.policy.no-default'],
    ['but their deny counts', {lane: [undefined, 'deny']}, 'deny', 'lane-0'],
    ['the baseline’s own rules adjust it', {lane: ['deny', 'allow']}, 'allow', 'lane-0'],
    [
      'a later layer’s rule does not lift its own default',
      {workspace: ['allow'], lane: ['deny', 'allow']},
      'deny',
      'lane.default',
    ],
    [
      'a baseline does not lift an outer rule',
      {workspace: [undefined, 'approval_required'], lane: ['allow', 'allow']},
      'approval_required',
      'workspace-0',
    ],
    [
      'nor one of a layer without authority',
      {lane: [undefined, 'approval_required'], task: ['allow', 'allow']},
      'approval_required',
      'lane-0',
    ],
    ['nor a denying one', {lane: [undefined, 'deny'], task: ['allow', 'allow']}, 'deny', 'lane-0'],
    [
      'a baseline tightens an outer rule',
      {workspace: [undefined, 'allow'], lane: ['approval_required']},
      'approval_required',
      'lane.default',
    ],
  ];
  test.each(cases)('%s', (_, stack, decision, rule_id) => {
    expect(evaluate(stack)).toMatchObject({decision, deciding: {rule_id}});
  });
});

describe('with loosening', () => {
  const cases: readonly (readonly [string, Stack, readonly LooseningLayerName[], PolicyOutcome])[] = [
    ['a default lifts a default', {workspace: ['deny'], lane: ['allow']}, ['lane'], 'allow'],
    ['a rule lifts a default', {workspace: ['deny'], task: [undefined, 'allow']}, ['task'], 'allow'],
    ['it lifts a rule’s approval', {workspace: ['deny', 'approval_required'], lane: ['allow']}, ['lane'], 'allow'],
    ['it never lifts a rule’s deny', {workspace: ['allow', 'deny'], lane: ['allow', 'allow']}, ['lane'], 'deny'],
    ['only the named layer', {workspace: ['deny'], lane: ['allow']}, ['pack', 'task'], 'deny'],
    [
      'what it lifted may be tightened again',
      {workspace: ['deny'], lane: ['allow'], task: ['approval_required']},
      ['lane'],
      'approval_required',
    ],
    ['it may tighten too', {workspace: ['allow'], lane: ['deny']}, ['lane'], 'deny'],
    ['its rules adjust its own default', {workspace: ['allow'], lane: ['deny', 'allow']}, ['lane'], 'allow'],
    ['it needs no baseline', {pack: [undefined, 'allow']}, ['pack'], 'allow'],
    [
      'a layer that says nothing changes nothing',
      {workspace: ['approval_required'], lane: [undefined]},
      ['lane'],
      'approval_required',
    ],
  ];
  test.each(cases)('%s', (_, stack, allowLoosening, decision) => {
    expect(evaluate(stack, allowLoosening).decision).toBe(decision);
  });
});

describe('the report', () => {
  test('each default and each matching rule, in order, with its place', () => {
    const {decisions} = evaluate({
      workspace: ['deny', 'allow'],
      lane: ['approval_required'],
      pack: [undefined, 'deny'],
    });
    expect(decisions).toEqual([
      {decision: 'deny', layer: 'workspace', rule_id: 'workspace.default', where: 'workspace.yaml'},
      {decision: 'allow', layer: 'workspace', rule_id: 'workspace-0', where: 'workspace.yaml:0:1'},
      {decision: 'approval_required', layer: 'lane', rule_id: 'lane.default', where: 'lane.yaml'},
      {decision: 'deny', layer: 'pack', rule_id: 'pack-0', where: 'pack.yaml:0:1'},
    ]);
  });

  test('one decision of the kernel when no layer says anything', () => {
    expect(evaluate({}).decisions).toEqual([
      {
        decision: 'deny',
        layer: 'kernel',
        rule_id: 'kernel.policy.no-default',
        reason: expect.stringContaining('default_decision'),
      },
    ]);
  });

  test('a rejected loosening as a warning, also on its decision', () => {
    const {decisions, warnings} = evaluate({
      workspace: ['approval_required'],
      lane: ['allow', 'allow'],
      task: ['deny'],
    });
    expect(decisions.map(({rule_id, warning}) => [rule_id, warning !== undefined])).toEqual([
      ['workspace.default', false],
      ['lane.default', true],
      ['lane-0', true],
      ['task.default', false],
    ]);
    expect(decisions[1]?.warning).toBe(warnings[0]?.message);
    expect(warnings).toEqual([
      {
        rule_id: 'lane.default',
        layer: 'lane',
        decision: 'allow',
        where: 'lane.yaml',
        message: '`lane.default` says allow, which is looser than approval_required by `workspace.default`: rejected',
      },
      expect.objectContaining({rule_id: 'lane-0', where: 'lane.yaml:0:1'}),
    ]);
  });

  test.each([
    ['a rule under its own stricter default', {workspace: ['allow'], lane: ['deny', 'allow']}, [], ['lane-0']],
    [
      'a loosening stopped by a rule’s deny',
      {workspace: ['allow', 'deny'], lane: ['allow']},
      ['lane'],
      ['lane.default'],
    ],
    ['rules without authority', {lane: [undefined, 'allow']}, [], ['lane-0']],
    ['none for a rule over its own default', {workspace: ['deny', 'allow']}, [], []],
    ['none for a permitted loosening', {workspace: ['deny'], lane: ['allow']}, ['lane'], []],
    ['none for a tightening', {workspace: ['allow'], lane: ['deny'], task: ['deny']}, [], []],
  ] satisfies [string, Stack, LooseningLayerName[], string[]][])('warnings: %s', (_, stack, allowLoosening, ids) => {
    expect(evaluate(stack, allowLoosening).warnings.map(({rule_id}) => rule_id)).toEqual(ids);
  });

  test.each([
    ['its only rule says so', {workspace: ['allow', 'self']}, [], true],
    ['all say so', {workspace: ['allow', 'self'], lane: [undefined, 'self']}, [], true],
    ['one does not', {workspace: ['allow', 'self'], lane: [undefined, 'approval_required']}, [], false],
    ['a default also asks', {workspace: ['allow', 'self'], lane: ['approval_required']}, [], false],
    ['the default was adjusted by the rule', {workspace: ['approval_required', 'self']}, [], true],
    [
      'a loosening layer repeats what stood',
      {workspace: ['allow', 'approval_required'], lane: [undefined, 'self']},
      ['lane'],
      false,
    ],
    ['nothing is asked', {workspace: ['allow']}, [], false],
    ['it is denied', {workspace: ['allow', 'self', 'deny']}, [], false],
  ] satisfies [string, Stack, LooseningLayerName[], boolean][])(
    'self approval: %s',
    (_, stack, allowLoosening, expected) => {
      expect(evaluate(stack, allowLoosening).self_approval).toBe(expected);
    },
  );

  test('to an unknown trigger the answer is deny', () => {
    const {layer} = compilePolicyLayer({layer: 'workspace', default_decision: 'allow', rules: [], ports});
    const context = {trigger: 'on_call' as 'on_claim', run_id: 'run-1'};
    expect(evaluatePolicy({layers: {workspace: layer}, allowLoosening: [], request: {context}}).decision).toBe('deny');
  });
});
