// The rules of a layer by trigger, and for each tool asked about those that govern it, found once and kept:
// a rule that cannot match costs nothing, whatever form its globs have.
import type {PolicyTrigger} from '@lumenflow/schemas';
import type {CompiledLayer, CompiledRule} from './compiled-layer.ts';

/** Tools whose rules are kept; names come from the registered tools, so this is never reached in earnest. */
const toolsMax = 10_000;

export interface IndexedRule {
  readonly triggers: readonly PolicyTrigger[];
  readonly rule: CompiledRule;
}

type RulesOf = (tool: string | undefined) => readonly CompiledRule[];

export type RuleIndex = Pick<CompiledLayer, 'hasRulesFor' | 'rulesFor'>;

export function indexRules(rules: readonly IndexedRule[]): RuleIndex {
  const byTrigger = new Map<PolicyTrigger, CompiledRule[]>();
  for (const {triggers, rule} of rules) {
    for (const trigger of triggers) {
      const sameTrigger = byTrigger.get(trigger);
      if (sameTrigger) sameTrigger.push(rule);
      else byTrigger.set(trigger, [rule]);
    }
  }
  const index = new Map([...byTrigger].map(([trigger, list]): [PolicyTrigger, RulesOf] => [trigger, indexTools(list)]));
  return {
    hasRulesFor: (trigger) => index.has(trigger),
    rulesFor: (context) => index.get(context.trigger)?.(context.tool_name) ?? [],
  };
}

function indexTools(rules: readonly CompiledRule[]): RulesOf {
  const ofAnyTool = rules.filter((rule) => rule.governsTool === undefined);
  const byTool = new Map<string, readonly CompiledRule[]>();
  return (tool) => {
    if (tool === undefined) return ofAnyTool;
    const known = byTool.get(tool);
    if (known) return known;
    const governing = rules.filter((rule) => rule.governsTool === undefined || rule.governsTool(tool));
    if (byTool.size < toolsMax) byTool.set(tool, governing);
    return governing;
  };
}
