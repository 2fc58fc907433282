// The rules of a layer by trigger, by the tools they govern and by the value that they require, so that a rule that cannot match costs
// nothing. The rules that govern a tool are found once and cached.
import type {PolicyTrigger} from '@lumenflow/schemas';
import type {CompiledLayer, CompiledRule, LookedAt} from './compiled-layer.ts';
import {createTextIndex} from './text-index.ts';
import {createValueIndex, type ValueIndex} from './value-index.ts';

/** Tools whose rules are kept; names come from the registered tools, so this is never reached in earnest. */
const toolsMax = 10_000;

export interface IndexedRule {
  readonly triggers: readonly PolicyTrigger[];
  readonly rule: CompiledRule;
}

const lookedAt: readonly LookedAt[] = ['looksAtHistory', 'looksAtReturned'];

type RulesFor = CompiledLayer['rulesFor'];

export type RuleIndex = Pick<CompiledLayer, 'hasRulesFor' | 'rulesFor' | 'evidenceData' | 'looksAt' | 'looksAtPaths'>;

export function indexRules(rules: readonly IndexedRule[]): RuleIndex {
  const byTrigger = new Map<PolicyTrigger, CompiledRule[]>();
  for (const {triggers, rule} of rules) {
    for (const trigger of triggers) {
      const sameTrigger = byTrigger.get(trigger);
      if (sameTrigger) sameTrigger.push(rule);
      else byTrigger.set(trigger, [rule]);
    }
  }
  const index = new Map(
    [...byTrigger].map(([trigger, list]): [PolicyTrigger, RulesFor] => [trigger, indexTools(list)]),
  );
  const aspects = new Set(lookedAt.filter((aspect) => rules.some(({rule}) => rule[aspect])));
  const looking = (byTrigger.get('on_tool_request') ?? []).filter(({evidenceData}) => evidenceData !== undefined);
  return {
    looksAt: (aspect) => aspects.has(aspect),
    looksAtPaths: rules.some(({rule}) => rule.looksAtPaths),
    evidenceData:
      looking.length > 0 ? [...new Set(looking.flatMap(({evidenceData}) => evidenceData ?? []))] : undefined,
    hasRulesFor: (trigger) => index.has(trigger),
    rulesFor: (request) => index.get(request.context.trigger)?.(request) ?? [],
  };
}

/** The rules to ask about a tool: always, and those that an index finds for a request. */
interface Governing {
  readonly always: readonly CompiledRule[];
  readonly indexes: readonly ValueIndex[];
}

function indexTools(rules: readonly CompiledRule[]): RulesFor {
  const places = new Map(rules.map((rule, place) => [rule, place]));
  const ofAnyTool = rules.filter((rule) => rule.governsTool === undefined);
  const indexesOfAnyTool = indexValues(ofAnyTool);
  const inNoTool: Governing = {always: ofAnyTool.filter(isAlwaysAsked), indexes: indexesOfAnyTool};
  const byTool = new Map<string, Governing>();

  function governing(tool: string): Governing {
    const known = byTool.get(tool);
    if (known) return known;
    const own = rules.filter((rule) => rule.governsTool?.(tool) === true);
    const always = rules.filter((rule) => isAlwaysAsked(rule) && rule.governsTool?.(tool) !== false);
    const found = {always, indexes: [...indexesOfAnyTool, ...indexValues(own)]};
    if (byTool.size < toolsMax) byTool.set(tool, found);
    return found;
  }

  return (request) => {
    const {tool_name} = request.context;
    const {always, indexes} = tool_name === undefined ? inNoTool : governing(tool_name);
    const found = indexes.flatMap((index) => index.find(request));
    if (found.length === 0) return always;
    return [...always, ...found].toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  };
}

function isAlwaysAsked({requires}: CompiledRule): boolean {
  return requires === undefined;
}

/** One index for each place that rules look at. */
function indexValues(rules: readonly CompiledRule[]): readonly ValueIndex[] {
  const bySubject = new Map<string, ValueIndex>();
  for (const rule of rules) {
    if (rule.requires === undefined) continue;
    const {subject, isText} = rule.requires;
    const index = bySubject.get(subject) ?? (isText ? createTextIndex : createValueIndex)(rule.requires);
    index.add(rule, rule.requires);
    bySubject.set(subject, index);
  }
  return [...bySubject.values()];
}
