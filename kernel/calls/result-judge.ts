// The trigger on_tool_result: policy over what a tool returns, before anyone sees or records it. Results, errors, progress and logs are
// judged alike: each is returned as it is, redacted, or withheld.
import type {PolicyDecision} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import {evaluatePolicy, hasRulesFor, matchLayers, type LayerDecision, type PolicyResult} from '../policy/index.ts';
import type {AdmittedCall, NarrowedCall} from './call.ts';
import {governingLayers} from './governing-layers.ts';
import {policyQuestion} from './policy-question.ts';
import {mapTexts, textsIn} from '../policy/texts-in-value.ts';

interface Judgment {
  /** The parts as they may be seen; undefined if they are withheld. */
  readonly parts: readonly unknown[] | undefined;
  readonly result: PolicyResult;
  readonly decisions: readonly PolicyDecision[];
}

/** Judges the parts of what a call returns together. */
export type ResultJudge = (parts: readonly unknown[]) => Judgment;

/** Undefined if no rule judges results of the call. */
export function resultJudge(kernel: Kernel, call: AdmittedCall): ResultJudge | undefined {
  if (!hasRulesFor(governingLayers(kernel, call), 'on_tool_result')) return undefined;
  const question = policyQuestion(kernel, call, 'on_tool_result');
  return (given) => {
    const parts = given.map(asJson);
    let texts: readonly string[] | undefined;
    const output = (): readonly string[] => (texts ??= textsIn(parts));
    const result = evaluatePolicy({...question, request: {...question.request, output}});
    if (result.decision !== 'allow') return {parts: undefined, result, decisions: result.decisions};
    return redact(parts, result);
  };
}

/** The rules that may judge what the call returns, each with its decision if it applies. Rules that observe change nothing. */
export function resultRules(kernel: Kernel, call: NarrowedCall): readonly PolicyDecision[] {
  if (!hasRulesFor(governingLayers(kernel, call), 'on_tool_result')) return [];
  const question = policyQuestion(kernel, call, 'on_tool_result');
  const suppose = (supposed: boolean): readonly LayerDecision[] =>
    matchLayers({...question, request: {...question.request, supposed_output: supposed}}).flatMap(
      ({matching}) => matching,
    );
  // Under `not`, a rule applies to what a condition does not match.
  const rules = new Map(
    [...suppose(true), ...suppose(false)].map((rule) => [`${rule.said.layer} ${rule.said.rule_id}`, rule]),
  );
  return [...rules.values()].map(({said, redaction}) =>
    redaction !== undefined && said.reason === undefined ? {...said, reason: 'redacts what its patterns match'} : said,
  );
}

/** What cannot be written as JSON could not be judged, so it is left out. */
function asJson(value: unknown): unknown {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return 'not JSON: left out';
  }
}

function redact(given: readonly unknown[], result: PolicyResult): Judgment {
  const {redactions} = result;
  if (redactions === undefined) return {parts: given, result, decisions: result.decisions};
  const counts = new Map<string, number>();
  const change = (text: string): string =>
    redactions.reduce((whole, {rule_id, redaction}) => {
      const replaced = redaction(whole);
      if (replaced !== whole) counts.set(rule_id, (counts.get(rule_id) ?? 0) + 1);
      return replaced;
    }, text);
  const parts = given.map((part) => mapTexts(part, change));
  const decisions = result.decisions.map((said) => {
    const count = counts.get(said.rule_id);
    return count === undefined ? said : {...said, redacted: count};
  });
  return {parts, result, decisions};
}

/** What replaces a progress payload or a log entry that is withheld. */
export function withheldNote({deciding}: PolicyResult): string {
  return `withheld by rule \`${deciding.rule_id}\``;
}
