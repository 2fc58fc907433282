// Puts one request to the layers. What they make of it is written down in weigh-layers.ts.
import type {CountedUse, ObservedPolicy, PolicyDecision, PolicyLayerName, PolicyOutcome} from '@lumenflow/schemas';
import type {Redaction} from './compile-redaction.ts';
import {matchLayers, type LayerMatch, type PolicyQuestion} from './match-layers.ts';
import type {LayerDecision} from './layer-decision.ts';
import {weighLayers, type LayerStep} from './weigh-layers.ts';

/** A default or a rule that would have loosened what outer layers decided. */
export interface PolicyWarning {
  readonly rule_id: string;
  readonly layer: PolicyLayerName;
  readonly decision: PolicyOutcome;
  readonly where?: string | undefined;
  readonly message: string;
}

export interface PolicyResult {
  readonly decision: PolicyOutcome;
  /** The decision that counts; of several the first rule's. */
  readonly deciding: PolicyDecision;
  /** Each default and each matching rule, in order of layers; those that were rejected have a `warning`. */
  readonly decisions: readonly PolicyDecision[];
  readonly warnings: readonly PolicyWarning[];
  /** Approval is required, and every statement that requires it allows the requesting actor to give it. */
  readonly self_approval: boolean;
  /** Approval is required, and every statement that requires it takes an answer in the asking conversation. */
  readonly inband: boolean;
  /** What rules that observe would have led to; absent if none of them matches. */
  readonly observed?: ObservedPolicy;
  /** on_tool_result: what matching rules replace; absent if there is nothing. */
  readonly redactions?: readonly {readonly rule_id: string; readonly redaction: Redaction}[];
  /** Limits that the request counts towards once it is admitted; absent if there are none. */
  readonly counted?: readonly CountedUse[];
}

const noDefault: PolicyDecision = {
  decision: 'deny',
  layer: 'kernel',
  rule_id: 'kernel.policy.no-default',
  reason: 'no layer sets a default_decision, and no rule of the workspace matches: policy starts at deny',
};

export function evaluatePolicy(question: PolicyQuestion): PolicyResult {
  const voices = matchLayers(question);
  return withSideResults(resultOf(weighLayers(voices)), voices);
}

/** Adds what limits count, what is redacted, and what rules that observe would have led to. */
export function withSideResults(result: PolicyResult, voices: readonly LayerMatch[]): PolicyResult {
  const counted = voices.flatMap((voice) => voice.counted);
  const redactions = voices.flatMap(({matching}) =>
    matching.flatMap(({said: {rule_id}, redaction}) => (redaction ? [{rule_id, redaction}] : [])),
  );
  const sides = {...(counted.length > 0 && {counted}), ...(redactions.length > 0 && {redactions})};
  return withObserved(counted.length + redactions.length === 0 ? result : {...result, ...sides}, voices);
}

/** Weighs the layers again, as if the rules that observe decided. */
function withObserved(result: PolicyResult, voices: readonly LayerMatch[]): PolicyResult {
  if (voices.every(({observed}) => observed.length === 0)) return result;
  const enforced = voices.map((voice) => ({...voice, matching: [...voice.matching, ...voice.observed]}));
  const {decision} = resultOf(weighLayers(enforced));
  return {...result, observed: {decision, rules: voices.flatMap(({observed}) => observed.map(({said}) => said))}};
}

export function resultOf(steps: readonly LayerStep[]): PolicyResult {
  const combined = steps.at(-1)?.combined;
  const decisions: PolicyDecision[] = [];
  const warnings: PolicyWarning[] = [];
  for (const step of steps) {
    const looser = combined === undefined ? step.statements : step.rejected;
    for (const statement of step.statements) {
      if (!looser.includes(statement)) {
        decisions.push(statement.said);
        continue;
      }
      const warning = warningOf(step, statement);
      warnings.push(warning);
      decisions.push({...statement.said, warning: warning.message});
    }
  }
  if (combined === undefined) {
    return {
      decision: 'deny',
      deciding: noDefault,
      decisions: [...decisions, noDefault],
      warnings,
      self_approval: false,
      inband: false,
    };
  }
  const {decision, by} = combined;
  const deciding = (by.find(({kind}) => kind === 'rule') ?? by[0])?.said ?? noDefault;
  return {
    decision,
    deciding,
    decisions,
    warnings,
    self_approval: decision === 'approval_required' && by.every((statement) => statement.self_approval),
    inband:
      decision === 'approval_required' && by.every((statement) => statement.inband === true || statement.self_approval),
  };
}

function warningOf({layer, combined}: LayerStep, {said}: LayerDecision): PolicyWarning {
  const {decision, rule_id, where} = said;
  const limit = combined?.by[0]?.said ?? noDefault;
  const message = `\`${rule_id}\` says ${decision}, which is looser than ${limit.decision} by \`${limit.rule_id}\`: rejected`;
  return {rule_id, layer, decision, where, message};
}
