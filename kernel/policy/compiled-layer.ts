// A layer ready to be asked: its default, and its rules by what they ask for.
import type {PolicyLayerName, PolicyTrigger} from '@lumenflow/schemas';
import type {CompiledLimit} from './compile-limit.ts';
import type {PolicyRequest} from './policy-request.ts';
import type {RequiredValue} from './required-value.ts';
import type {LayerDecision} from './layer-decision.ts';

export interface CompiledRule {
  readonly statement: LayerDecision & {readonly kind: 'rule'};
  /** The rule's tool globs; absent when it governs calls of every tool. */
  readonly governsTool?: (tool: string) => boolean;
  /** What the rest of its `when` cannot match without. */
  readonly requires?: RequiredValue | undefined;
  /** The rest of its `when`, absent when there is none. A factory's function may answer anything. */
  readonly when?: ((request: PolicyRequest) => unknown) | undefined;
  /** It looks at the task's evidence, and at these properties of its data. */
  readonly evidenceData?: readonly string[] | undefined;
  /** It asks what paths are touched. */
  readonly looksAtPaths?: boolean;
  /** It asks what has tainted a call. */
  readonly looksAtTaint?: boolean;
  /** It asks what was done before. */
  readonly looksAtHistory?: boolean;
  /** It asks with what arguments a tool was called before. */
  readonly asksArgumentsOf?: ((tool: string) => boolean) | undefined;
  /** It asks what untrusted tools returned. */
  readonly looksAtReturned?: boolean;
  /** It looks at the lines that a call added to files. */
  readonly looksAtText?: boolean;
  /** It applies only to what goes beyond. */
  readonly limit?: CompiledLimit | undefined;
  /** It decides nothing: what it would have decided is recorded. */
  readonly observes?: true;
  /** `when` is a function made by a factory. */
  readonly isFunction?: true;
  /** Canonical JSON of all that gives the rule its meaning. */
  readonly canonical: string;
}

/** What must be read from the records before such a rule is asked. */
export type LookedAt = 'looksAtHistory' | 'looksAtReturned';

export interface CompiledLayer {
  readonly layer: PolicyLayerName;
  readonly default?: LayerDecision & {readonly kind: 'default'};
  /** Canonical JSON of the default and the rules; their places and examples do not count. */
  readonly canonical: string;
  hasRulesFor(trigger: PolicyTrigger): boolean;
  /** What its rules of on_tool_request look at in the task's evidence; undefined when none looks at any. */
  readonly evidenceData?: readonly string[] | undefined;
  /** Whether one of its rules asks what paths are touched. */
  readonly looksAtPaths?: boolean;
  /** Whether one of its rules looks at it. */
  looksAt(aspect: LookedAt): boolean;
  /** The rules that may match, in the order they are written. */
  rulesFor(request: PolicyRequest): readonly CompiledRule[];
}

/** Absent layers say nothing. */
export interface PolicyLayers {
  readonly workspace: CompiledLayer;
  readonly lane?: CompiledLayer;
  readonly pack?: CompiledLayer;
  readonly task?: CompiledLayer | undefined;
}

/** From the outermost in. */
export const layerNames: readonly PolicyLayerName[] = ['workspace', 'lane', 'pack', 'task'];

/** Whether any layer has a rule of the trigger at all. */
export function hasRulesFor(layers: PolicyLayers, trigger: PolicyTrigger): boolean {
  return layerNames.some((name) => layers[name]?.hasRulesFor(trigger) ?? false);
}

/** Whether a rule asks what paths are touched: only then it is found out where links lead. */
export function looksAtPaths(layers: PolicyLayers): boolean {
  return layerNames.some((name) => layers[name]?.looksAtPaths === true);
}

/** What rules of on_tool_request look at in the task's evidence: undefined when none looks at any. */
export function evidenceDataOf(layers: PolicyLayers): readonly string[] | undefined {
  if (layerNames.every((name) => layers[name]?.evidenceData === undefined)) return undefined;
  return layerNames.flatMap((name) => layers[name]?.evidenceData ?? []);
}

/** Whether a rule that may match the request looks at it. */
export function mayAsk(
  {layers, request}: {readonly layers: PolicyLayers; readonly request: PolicyRequest},
  aspect: LookedAt,
): boolean {
  return layerNames.some((name) => {
    const layer = layers[name];
    return layer?.looksAt(aspect) === true && layer.rulesFor(request).some((rule) => rule[aspect] === true);
  });
}

/** Whether a rule that may match the request asks with what arguments the tool was called before; undefined if none asks. */
export function argumentsAsked({
  layers,
  request,
}: {
  readonly layers: PolicyLayers;
  readonly request: PolicyRequest;
}): ((tool: string) => boolean) | undefined {
  const rules = layerNames.flatMap((name) => layers[name]?.rulesFor(request) ?? []);
  const asking = rules.flatMap(({asksArgumentsOf}) => asksArgumentsOf ?? []);
  return asking.length === 0 ? undefined : (tool) => asking.some((asks) => asks(tool));
}
