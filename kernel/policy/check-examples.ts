// The examples written with a rule: each is put to the rule itself, apart from its layer.
import type {PolicyExample} from '@lumenflow/schemas';
import {askRule} from './ask-rule.ts';
import type {CompiledRule} from './compiled-layer.ts';
import {isRecord, type MatcherSite} from './matcher-site.ts';
import type {PolicyRequest} from './policy-request.ts';
import type {IndexedRule} from './rule-index.ts';

/** What became of one example. */
export interface ExampleOutcome {
  readonly expect: PolicyExample['expect'];
  /** The rule's own decision, or `no_match`. */
  readonly given: PolicyExample['expect'];
}

/** Reports examples that do not hold; `expect` is the rule's own decision, or `no_match`. */
export function checkExamples(examples: readonly unknown[], indexed: IndexedRule, site: MatcherSite): void {
  const {decision, rule_id} = indexed.rule.statement.said;
  for (const [index, example] of examples.entries()) {
    const pointer = `/examples/${index}`;
    if (!isExample(example)) {
      site.fault(pointer, 'POLICY_RULE_INVALID', 'an example has a `call` and what to `expect`');
      continue;
    }
    const {expect, given} = tryExample(example, indexed);
    if (given === expect) continue;
    const message = `rule \`${rule_id}\` gives \`${given}\` for this example, not \`${expect}\``;
    const help = `change the rule's \`when\` or the example; a rule gives its own decision (\`${decision}\`) or \`no_match\``;
    site.fault(pointer, 'POLICY_EXAMPLE_FAILED', message, help);
  }
}

export function tryExample({call, expect}: PolicyExample, {triggers, rule}: IndexedRule): ExampleOutcome {
  return {expect, given: answerOf(rule, requestOf(call, triggers))};
}

function isExample(value: unknown): value is PolicyExample {
  return isRecord(value) && isRecord(value['call']) && typeof value['expect'] === 'string';
}

function requestOf(call: PolicyExample['call'], [trigger = 'on_tool_request']: IndexedRule['triggers']): PolicyRequest {
  return {
    ...(call.permission !== undefined && {permission: call.permission}),
    context: {
      trigger,
      run_id: 'example',
      ...(call.tool !== undefined && {tool_name: call.tool}),
      ...(call.task !== undefined && {task_id: call.task}),
      ...(call.lane !== undefined && {lane_id: call.lane}),
      ...(call.arguments !== undefined && {tool_arguments: call.arguments}),
      ...(call.metadata !== undefined && {execution_metadata: call.metadata}),
    },
  };
}

function answerOf(rule: CompiledRule, request: PolicyRequest): PolicyExample['expect'] {
  const tool = request.context.tool_name;
  const governs = rule.governsTool === undefined || (tool !== undefined && rule.governsTool(tool));
  return governs ? (askRule(rule, request)?.said.decision ?? 'no_match') : 'no_match';
}
