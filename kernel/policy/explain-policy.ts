// The same evaluation, told step by step, and what would change its outcome. Each change is tried out on what
// the layers said before it is proposed.
import type {PolicyDecision, PolicyLayerName, PolicyOutcome} from '@lumenflow/schemas';
import {resultOf, type PolicyResult} from './evaluate-policy.ts';
import {hearLayers, type LayerVoice, type PolicyQuestion} from './hear-layers.ts';
import type {Statement} from './statement.ts';
import {weighLayers, type LayerStep} from './weigh-layers.ts';

export interface LayerTrace {
  readonly layer: PolicyLayerName;
  /** Whether the layer's rules may lift its own default: it is the workspace, sets the baseline or may loosen. */
  readonly authority: boolean;
  readonly decisions: readonly PolicyDecision[];
  /** Those of them without effect, because they are looser than what stood. */
  readonly rejected: readonly PolicyDecision[];
  /** What stands after this layer. */
  readonly decision: PolicyOutcome;
}

export interface PolicyExplanation extends PolicyResult {
  /** All the decisions that hold the outcome. */
  readonly held_by: readonly PolicyDecision[];
  readonly trace: readonly LayerTrace[];
  /** Sentences for a person, the nearest change first. */
  readonly would_change: readonly string[];
}

export function explainPolicy(question: PolicyQuestion): PolicyExplanation {
  const voices = hearLayers(question);
  const steps = weighLayers(voices);
  const result = resultOf(steps);
  const held = steps.at(-1)?.standing?.by ?? [];
  return {
    ...result,
    held_by: held.length > 0 ? held.map(({said}) => said) : [result.deciding],
    trace: steps.map((step) => traceOf(step)),
    would_change:
      result.decision === 'allow'
        ? [tighten(question)]
        : [...changes(question, voices, {decision: result.decision, held})],
  };
}

function traceOf({layer, authority, statements, rejected, standing}: LayerStep): LayerTrace {
  return {
    layer,
    authority,
    decisions: statements.map(({said}) => said),
    rejected: rejected.map(({said}) => said),
    decision: standing?.decision ?? 'deny',
  };
}

function tighten(question: PolicyQuestion): string {
  return `add a rule that denies ${subjectOf(question)}, or asks for approval, in any layer`;
}

interface Outcome {
  readonly decision: PolicyOutcome;
  readonly held: readonly Statement[];
}

function* changes(
  question: PolicyQuestion,
  voices: readonly LayerVoice[],
  {decision, held}: Outcome,
): Generator<string> {
  const trial = (change: string, changed: readonly LayerVoice[]): readonly string[] => {
    const then = resultOf(weighLayers(changed)).decision;
    return then === decision ? [] : [`${change}: the decision would then be \`${then}\``];
  };
  const loose = (statement: Statement): Statement => ({...statement, said: {...statement.said, decision: 'allow'}});

  if (decision === 'approval_required') yield 'approve the request';
  if (held.length > 0) {
    yield* trial(
      held.map(changeOf).join(', and '),
      voices.map((voice) => ({
        ...voice,
        matching: voice.matching.filter((statement) => !held.includes(statement)),
        ...(voice.default && {default: held.includes(voice.default) ? loose(voice.default) : voice.default}),
      })),
    );
  }
  for (const voice of voices) {
    const {layer} = voice;
    const allowed: Statement = {kind: 'rule', self_approval: false, said: {decision: 'allow', layer, rule_id: 'added'}};
    yield* trial(
      `add a rule that allows ${subjectOf(question)} in layer ${layer}`,
      voices.map((other) => (other === voice ? {...voice, matching: [...voice.matching, allowed]} : other)),
    );
    if (layer !== 'workspace' && !voice.loosening) {
      yield* trial(
        `name \`${layer}\` in \`allow_loosening\` of workspace.yaml`,
        voices.map((other) => (other === voice ? {...voice, loosening: true} : other)),
      );
    }
  }
  if (held.length === 0) yield 'set a `default_decision` in `policies` of workspace.yaml';
}

function changeOf({kind, failed, said}: Statement): string {
  const at = said.where === undefined ? '' : ` at ${said.where}`;
  if (kind === 'default') return `loosen the \`default_decision\` of layer ${said.layer}${at}`;
  return `${failed ? 'repair the `when` of' : 'remove or narrow'} rule \`${said.rule_id}\`${at}`;
}

function subjectOf({request: {context}}: PolicyQuestion): string {
  if (context.tool_name !== undefined) return `\`${context.tool_name}\``;
  return `\`${context.trigger}\``;
}
