// The same evaluation step by step, and what would change its outcome.
import type {PolicyDecision, PolicyLayerName, PolicyOutcome} from '@lumenflow/schemas';
import {resultOf, withSideResults, type PolicyResult} from './evaluate-policy.ts';
import {matchLayers, type PolicyQuestion} from './match-layers.ts';
import {weighLayers, type LayerStep} from './weigh-layers.ts';
import {wouldChange} from './would-change.ts';

export interface LayerTrace {
  readonly layer: PolicyLayerName;
  /** Whether the layer's rules may lift its own default: it is the workspace, sets the baseline or may loosen. */
  readonly authority: boolean;
  readonly decisions: readonly PolicyDecision[];
  /** Those of them without effect, because they are looser than the decision so far. */
  readonly rejected: readonly PolicyDecision[];
  /** The decision after this layer. */
  readonly decision: PolicyOutcome;
}

export interface PolicyExplanation extends PolicyResult {
  /** All decisions that support the outcome. */
  readonly held_by: readonly PolicyDecision[];
  readonly trace: readonly LayerTrace[];
  /** Sentences for a person, the nearest change first. */
  readonly would_change: readonly string[];
}

export function explainPolicy(question: PolicyQuestion): PolicyExplanation {
  const voices = matchLayers(question);
  const steps = weighLayers(voices);
  const result = withSideResults(resultOf(steps), voices);
  const held = steps.at(-1)?.combined?.by ?? [];
  return {
    ...result,
    held_by: held.length > 0 ? held.map(({said}) => said) : [result.deciding],
    trace: steps.map((step) => traceOf(step)),
    would_change: wouldChange(question.request, voices),
  };
}

function traceOf({layer, authority, statements, rejected, combined}: LayerStep): LayerTrace {
  return {
    layer,
    authority,
    decisions: statements.map(({said}) => said),
    rejected: rejected.map(({said}) => said),
    decision: combined?.decision ?? 'deny',
  };
}
