// Policy: layers of rules, compiled once, that decide about calls, claims and completions.
export {compileGlobs} from './compile-globs.ts';
export {tryExample, type ExampleOutcome} from './check-examples.ts';
export {compilePolicyLayer, type PolicyLayerSource} from './compile-policy-layer.ts';
export {compileRule} from './compile-rule.ts';
export {
  evidenceDataOf,
  hasRulesFor,
  layerNames,
  looksAtPaths,
  argumentsAsked,
  mayAsk,
  type CompiledLayer,
  type PolicyLayers,
} from './compiled-layer.ts';
export type {PolicyCompilerPorts} from './policy-compiler-ports.ts';
export {evaluatePolicy, type PolicyResult} from './evaluate-policy.ts';
export {explainPolicy, type PolicyExplanation} from './explain-policy.ts';
export {matchLayers, type PolicyQuestion} from './match-layers.ts';
export type {LoadedRule, LocatedRule} from './located-rule.ts';
export {policyDigest} from './policy-digest.ts';
export {requestInput, type AddedText, type PolicyRequest, type TouchedPath} from './policy-request.ts';
export {contradiction} from './review/contradiction.ts';
export {reviewSite} from './review/review-site.ts';
export {shadowingRule} from './review/shadowing-rule.ts';
export {timeFaults} from './review/time-faults.ts';
export {whyIdle, type IdleRule, type EffectiveRule} from './review/idle-rule.ts';
export {ruleReach, type Situation} from './review/rule-reach.ts';
export {argumentFit} from './review/argument-fit.ts';
export {instantOf} from './time/instant-of.ts';
export {escapePointerPart, parseJsonPointer} from './json-pointer.ts';
export {namesInMatcher, type NamedInMatcher} from './review/names-in-matcher.ts';
export {compareStrictness, type LayerDecision} from './layer-decision.ts';
export {createShellLines} from './shell/shell-lines.ts';
export {resolveSets, type PolicySets} from './sets/resolve-sets.ts';
