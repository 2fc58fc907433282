import type {PolicyMatcher, PolicyRule} from '@lumenflow/schemas';
import {createHash} from 'node:crypto';
import {expect, test} from 'vitest';
import {ok} from '../outcome.ts';
import {compilePolicyLayer, policyDigest, type LoadedRule, type PolicyLayers, type PolicyLayerSource} from './index.ts';

const ports = {monotonic: () => 0, compileRegex: () => ok({test: () => true, replaceAll: (text: string) => text})};
const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');
const when: PolicyMatcher = {tool: 'file:*', arguments: {'/a': {equals: 1}}};
const base: PolicyRule = {id: 'r', trigger: 'on_tool_request', decision: 'deny', when};

function layersOf(
  rule: PolicyRule | LoadedRule,
  source: Partial<PolicyLayerSource> = {},
  where = 'a:1:1',
): PolicyLayers {
  const compiled = compilePolicyLayer({layer: 'workspace', rules: [{rule, where}], ports, ...source});
  return {workspace: compiled.layer};
}

const digestOf = (layers: PolicyLayers): string => policyDigest(layers, [], sha256);
const digest = digestOf(layersOf(base));

test('it is stable: places, examples, order of keys and order of loosening do not count', () => {
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  const reordered = {
    when: {arguments: {'/a': {equals: 1}}, tool: 'file:*'},
    decision: 'deny',
    trigger: 'on_tool_request',
    id: 'r',
  } as const;
  expect(digestOf(layersOf({...reordered}, {}, 'b:9:9'))).toBe(digest);
  const examples = [{call: {tool: 'file:read', arguments: {a: 1}}, expect: 'deny' as const}];
  expect(digestOf(layersOf({...base, examples}))).toBe(digest);
  expect(digestOf(layersOf({...base, self_approval: false}))).toBe(digest);
  expect(policyDigest(layersOf(base), ['lane', 'task'], sha256)).toBe(
    policyDigest(layersOf(base), ['task', 'lane'], sha256),
  );
});

test('all that gives policy its meaning counts', () => {
  const others: readonly PolicyLayers[] = [
    layersOf({...base, id: 's'}),
    layersOf({...base, trigger: 'on_claim'}),
    layersOf({...base, decision: 'allow'}),
    layersOf({...base, reason: 'why'}),
    layersOf({...base, self_approval: true}),
    layersOf({...base, when: {...when, permission: ['read']}}),
    layersOf({...base, when: () => true}),
    layersOf({id: 'r', trigger: 'on_tool_request', decision: 'deny'}),
    layersOf(base, {default_decision: 'allow'}),
    layersOf(base, {default_decision: 'deny'}),
    layersOf(base, {rules: []}),
    layersOf({...base, decision: 'permit' as 'deny'}),
    {...layersOf(base), lane: layersOf(base, {layer: 'lane'}).workspace},
    {...layersOf(base), task: layersOf(base, {layer: 'task'}).workspace},
  ];
  const digests = [digest, ...others.map(digestOf), policyDigest(layersOf(base), ['lane'], sha256)];
  expect(new Set(digests).size).toBe(digests.length);
});
