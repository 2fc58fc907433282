// What would change a decision, in sentences for a person. Each proposal is tried out on what the layers said.
import type {PolicyDecision} from '@lumenflow/schemas';
import {resultOf} from './evaluate-policy.ts';
import type {LayerMatch} from './match-layers.ts';
import type {PolicyRequest} from './policy-request.ts';
import type {LayerDecision} from './layer-decision.ts';
import {weighLayers} from './weigh-layers.ts';

/** The nearest change first: approving, then what decided, then new rules and settings. */
export function wouldChange(request: PolicyRequest, voices: readonly LayerMatch[]): readonly string[] {
  const subject = subjectOf(request);
  const {decision} = decide(voices);
  if (decision === 'allow') return [`add a rule that denies ${subject}, or asks for approval, in any layer`];
  const held = weighLayers(voices).at(-1)?.combined?.by ?? [];
  const proposals = voices.flatMap((voice) => proposalsIn(voice, voices, subject));
  return [
    ...(decision === 'approval_required' ? ['approve the request'] : []),
    ...(held.length > 0 ? [withoutDeciding(held, voices)] : []),
    ...proposals.filter(({result}) => result !== decision).map(({change, result}) => `${change}: ${outcome(result)}`),
    ...(held.length > 0 ? [] : ['set a `default_decision` in `policies` of workspace.yaml']),
  ];
}

const transitions: Readonly<Record<string, string>> = {
  on_claim: 'claims',
  on_completion: 'completions',
  on_changes: 'such changes',
};

function subjectOf({context: {tool_name, trigger}}: PolicyRequest): string {
  return transitions[trigger] ?? `\`${tool_name ?? trigger}\``;
}

function decide(voices: readonly LayerMatch[]): PolicyDecision {
  return resultOf(weighLayers(voices)).deciding;
}

function outcome(decision: PolicyDecision['decision']): string {
  return `the decision would then be \`${decision}\``;
}

/** Names the decision that would apply instead, if there is one. */
function withoutDeciding(held: readonly LayerDecision[], voices: readonly LayerMatch[]): string {
  const then = decide(
    voices.map((voice) => ({
      ...voice,
      matching: voice.matching.filter((statement) => !held.includes(statement)),
      default: voice.default && held.includes(voice.default) ? allowing(voice.default) : voice.default,
    })),
  );
  const by = then.decision === 'allow' ? '' : `, by \`${then.rule_id}\``;
  return `${held.map(changeOf).join(', and ')}: ${outcome(then.decision)}${by}`;
}

interface Proposal {
  readonly change: string;
  readonly result: PolicyDecision['decision'];
}

function proposalsIn(voice: LayerMatch, voices: readonly LayerMatch[], subject: string): readonly Proposal[] {
  const {layer, loosening} = voice;
  const tried = (change: string, changed: LayerMatch): Proposal => ({
    change,
    result: decide(voices.map((other) => (other === voice ? changed : other))).decision,
  });
  const added: LayerDecision = {kind: 'rule', self_approval: false, said: {decision: 'allow', layer, rule_id: 'added'}};
  const rule = tried(`add a rule that allows ${subject} in layer ${layer}`, {
    ...voice,
    matching: [...voice.matching, added],
  });
  if (layer === 'workspace' || loosening) return [rule];
  return [rule, tried(`name \`${layer}\` in \`allow_loosening\` of workspace.yaml`, {...voice, loosening: true})];
}

function allowing(statement: LayerDecision): LayerDecision {
  return {...statement, said: {...statement.said, decision: 'allow'}};
}

function changeOf({kind, failed, said}: LayerDecision): string {
  const at = said.where === undefined ? '' : ` at ${said.where}`;
  if (kind === 'default') return `loosen the \`default_decision\` of layer ${said.layer}${at}`;
  return `${failed ? 'repair the `when` of' : 'remove or narrow'} rule \`${said.rule_id}\`${at}`;
}
