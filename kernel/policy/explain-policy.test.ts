import type {PolicyRule} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {failed} from '../outcome.ts';
import {
  compilePolicyLayer,
  explainPolicy,
  type LoadedRule,
  type PolicyLayers,
  type PolicyLayerSource,
} from './index.ts';

const ports = {monotonic: () => 0, compileRegex: () => failed('no regex in these tests')};
const request = {context: {trigger: 'on_tool_request', run_id: 'run-1', tool_name: 'file:write'}} as const;

function layerOf(
  layer: PolicyLayerSource['layer'],
  default_decision?: 'allow' | 'deny' | 'approval_required',
  ...rules: (PolicyRule | LoadedRule)[]
) {
  const located = rules.map((rule, index) => ({rule, where: `workspace.yaml:${14 + index}:7`}));
  const source = {
    layer,
    rules: located,
    ports,
    ...(default_decision && {default_decision, default_where: 'workspace.yaml:2:5'}),
  };
  return compilePolicyLayer(source).layer;
}

function explain(layers: PolicyLayers, allowLoosening: readonly 'lane'[] = []) {
  return explainPolicy({layers, allowLoosening, request});
}

const denies: PolicyRule = {id: 'no-writes', trigger: 'on_tool_request', decision: 'deny', reason: 'read only week'};
const asks: PolicyRule = {id: 'ask', trigger: 'on_tool_request', decision: 'approval_required'};
const allows: PolicyRule = {id: 'lane-allows', trigger: 'on_tool_request', decision: 'allow'};

test('a deny by a rule: the rule is named with its place, and no loosening is proposed', () => {
  const explained = explain({workspace: layerOf('workspace', 'allow', denies), lane: layerOf('lane', 'allow')});
  expect(explained.deciding).toMatchObject({
    rule_id: 'no-writes',
    reason: 'read only week',
    where: 'workspace.yaml:14:7',
  });
  expect(explained.would_change).toEqual([
    'remove or narrow rule `no-writes` at workspace.yaml:14:7: the decision would then be `allow`',
  ]);
});

test('a deny by a default: a rule of a layer with authority would lift it', () => {
  const explained = explain({workspace: layerOf('workspace', 'deny'), lane: layerOf('lane', undefined, allows)});
  expect(explained.would_change).toEqual([
    'loosen the `default_decision` of layer workspace at workspace.yaml:2:5: the decision would then be `allow`',
    'add a rule that allows `file:write` in layer workspace: the decision would then be `allow`',
    'name `lane` in `allow_loosening` of workspace.yaml: the decision would then be `allow`',
  ]);
});

test('no layer with authority decided', () => {
  const explained = explain({workspace: layerOf('workspace')});
  expect(explained).toMatchObject({decision: 'deny', deciding: {layer: 'kernel'}, held_by: [{layer: 'kernel'}]});
  expect(explained.would_change).toEqual([
    'add a rule that allows `file:write` in layer workspace: the decision would then be `allow`',
    'set a `default_decision` in `policies` of workspace.yaml',
  ]);
});

test('approval: it may simply be given', () => {
  const explained = explain({workspace: layerOf('workspace', 'deny', asks)});
  expect(explained.would_change).toEqual([
    'approve the request',
    'remove or narrow rule `ask` at workspace.yaml:14:7: the decision would then be `deny`, by `workspace.default`',
  ]);
});

test('the next deciding rule is named if the removal of the first changes nothing', () => {
  expect(explain({workspace: layerOf('workspace', 'deny', denies)}).would_change[0]).toBe(
    'remove or narrow rule `no-writes` at workspace.yaml:14:7: the decision would then be `deny`, by `workspace.default`',
  );
});

test('a failing function: it is to be repaired', () => {
  const failing: LoadedRule = {
    ...allows,
    when: () => {
      throw new Error('boom');
    },
  };
  expect(explain({workspace: layerOf('workspace', 'allow', failing)}).would_change).toEqual([
    'repair the `when` of rule `lane-allows` at workspace.yaml:14:7: the decision would then be `allow`',
  ]);
});

test('allowed: what would stop it', () => {
  expect(explain({workspace: layerOf('workspace', 'allow')}).would_change).toEqual([
    'add a rule that denies `file:write`, or asks for approval, in any layer',
  ]);
});

test('a claim has no tool to name', () => {
  const layers = {workspace: layerOf('workspace', 'allow')};
  const claim = {context: {trigger: 'on_claim', run_id: 'run-1'}} as const;
  expect(explainPolicy({layers, allowLoosening: [], request: claim}).would_change).toEqual([
    'add a rule that denies claims, or asks for approval, in any layer',
  ]);
});

test('the trace shows decisions, rejections and the result layer by layer', () => {
  const {trace} = explain({
    workspace: layerOf('workspace', 'allow', asks),
    lane: layerOf('lane', 'allow', allows),
    task: layerOf('task', 'deny'),
  });
  expect(trace).toMatchObject([
    {
      layer: 'workspace',
      authority: true,
      decisions: [{rule_id: 'workspace.default'}, {rule_id: 'ask'}],
      rejected: [],
      decision: 'approval_required',
    },
    {
      layer: 'lane',
      authority: false,
      rejected: [{rule_id: 'lane.default'}, {rule_id: 'lane-allows'}],
      decision: 'approval_required',
    },
    {layer: 'task', authority: false, decisions: [{rule_id: 'task.default'}], rejected: [], decision: 'deny'},
  ]);
});
