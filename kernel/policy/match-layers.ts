// Asks each layer about a request: its default, and those of its rules that match.
//
// A `default_decision` applies to calls of tools. For claims, completions and added evidence the kernel starts with allow. Otherwise a
// workspace that denies calls by default could not start a task.
import type {CountedUse, LooseningLayerName, PolicyLayerName} from '@lumenflow/schemas';
import {applyRule} from './apply-rule.ts';
import {layerNames, type CompiledLayer, type PolicyLayers} from './compiled-layer.ts';
import {frozenRequest} from './frozen-request.ts';
import type {PolicyRequest} from './policy-request.ts';
import {isPolicyTrigger} from './rule-shape.ts';
import type {LayerDecision} from './layer-decision.ts';

export interface PolicyQuestion {
  readonly layers: PolicyLayers;
  /** `allow_loosening` of the workspace. */
  readonly allowLoosening: readonly LooseningLayerName[];
  readonly request: PolicyRequest;
}

/** What one layer has to say about a request. */
export interface LayerMatch {
  readonly layer: PolicyLayerName;
  readonly default?: LayerDecision | undefined;
  readonly matching: readonly LayerDecision[];
  /** What its rules that observe would say. */
  readonly observed: readonly LayerDecision[];
  /** What the request counts for. */
  readonly counted: readonly CountedUse[];
  /** The workspace lets this layer loosen. */
  readonly loosening: boolean;
}

const open: LayerDecision = {
  kind: 'default',
  self_approval: false,
  said: {
    decision: 'allow',
    layer: 'kernel',
    rule_id: 'kernel.policy.open',
    reason: 'only rules of this trigger can deny it: `default_decision` applies to calls of tools',
  },
};

/** From the outermost layer inwards. No layer decides about an unknown trigger. */
export function matchLayers({layers, allowLoosening, request}: PolicyQuestion): readonly LayerMatch[] {
  const voices: LayerMatch[] = [];
  if (!isPolicyTrigger(request.context.trigger)) return voices;
  let frozen: PolicyRequest | undefined;
  for (const name of layerNames) {
    const layer = layers[name];
    if (layer === undefined) continue;
    const matching: LayerDecision[] = [];
    const observed: LayerDecision[] = [];
    const counted: CountedUse[] = [];
    for (const rule of layer.rulesFor(request)) {
      // A pack's function must change neither what the rules after it see nor what the handler is given.
      if (rule.isFunction) frozen ??= frozenRequest(request);
      const {statement, counted: use} = applyRule(rule, rule.isFunction && frozen ? frozen : request);
      if (use) counted.push(use);
      if (statement) (rule.observes ? observed : matching).push(statement);
    }
    const loosening = allowLoosening.some((named) => named === name);
    voices.push({layer: name, matching, observed, counted, loosening, default: defaultFor(request, layer)});
  }
  return voices;
}

function defaultFor({context}: PolicyRequest, layer: CompiledLayer): LayerDecision | undefined {
  if (context.trigger === 'on_tool_request') return layer.default;
  return layer.layer === 'workspace' ? open : undefined;
}
